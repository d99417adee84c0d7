/** Speech synthesis that runs inside the application. */
module io.libspeech {
    requires static transitive org.jspecify;

    exports io.libspeech;
    exports io.libspeech.service;
}
