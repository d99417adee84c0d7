"""One program for each of the other engines. Each runs as a child process and speaks the protocol of `protocol`."""
