@file:JvmName("Hello")

import io.libspeech.SpeechEngine
import io.libspeech.kotlin.synthesizeSuspending
import java.io.File

suspend fun main() {
    SpeechEngine.load().use { engine -> engine.synthesizeSuspending("Hello, world.").save(File("hello.wav")) }
}
