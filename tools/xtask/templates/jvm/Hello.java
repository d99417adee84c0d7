import io.libspeech.SpeechEngine;
import java.io.File;

class Hello {
    public static void main(String[] arguments) throws Exception {
        try (SpeechEngine engine = SpeechEngine.load()) {
            engine.synthesize("Hello, world.").save(new File("hello.wav"));
        }
    }
}
