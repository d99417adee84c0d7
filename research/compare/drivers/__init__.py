"""One program for each of the other engines. Each is run as a child process and answers in the words of `protocol`."""
