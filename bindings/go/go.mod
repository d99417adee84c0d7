module libspeech.io/speech

go 1.24
