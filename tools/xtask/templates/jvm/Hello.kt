@file:JvmName("Hello")

import io.libspeech.SpeechEngine
import io.libspeech.kotlin.speak
import java.io.File

suspend fun main() {
    SpeechEngine.load().use { engine -> engine.speak("Hello, world.").save(File("hello.wav")) }
}
