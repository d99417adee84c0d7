package com.example.speech

import android.app.Application
import android.app.Instrumentation
import android.content.Context
import io.libspeech.SpeechEngine
import java.io.ByteArrayOutputStream
import java.io.File
import java.io.StringWriter
import java.lang.reflect.Method
import java.net.URLClassLoader
import java.util.concurrent.TimeUnit
import javax.tools.ToolProvider
import org.junit.After
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowAudioTrack

/** The Android programs of the package's README, compiled and run. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class ReadmeTest {
    @get:Rule val folder = TemporaryFolder()

    private val played = ByteArrayOutputStream()
    private val listener = ShadowAudioTrack.OnAudioDataWrittenListener { _, audio, _ -> played.write(audio) }

    @After
    fun end() {
        ShadowAudioTrack.removeAudioDataListener(listener)
    }

    private fun readme() = File("../README.md").readText()

    private fun blocks(kind: String) =
        Regex("(?ms)^```$kind\n(.*?)^```$").findAll(readme()).map { it.groupValues[1] }.toList()

    /** The programs that the other modules skip. */
    private fun programs(kind: String) = blocks(kind).filter { "import android." in it }

    /** Compiles a program, and loads it with the Android classes of the test. */
    private fun loader(compile: (classes: String) -> Unit): ClassLoader {
        val classes = folder.newFolder()
        compile(classes.path)
        return URLClassLoader(arrayOf(classes.toURI().toURL()), javaClass.classLoader)
    }

    private fun kotlin(program: String): Class<*> =
        loader { classes ->
            val source = File(classes, "Program.kt").apply { writeText(program) }
            val path = System.getProperty("java.class.path")
            val java = File(System.getProperty("java.home"), "bin/java").path
            val compiler = listOf(java, "-cp", path, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler")
            val options = listOf("-no-stdlib", "-no-reflect", "-Werror", "-classpath", path, "-d", classes)
            val process = ProcessBuilder(compiler + options + source.path).redirectErrorStream(true).start()
            val complaints = process.inputStream.readBytes().decodeToString()
            assertTrue(process.waitFor(120, TimeUnit.SECONDS))
            assertEquals(complaints, 0, process.exitValue())
        }.loadClass("ProgramKt")

    private fun java(program: String): Class<*> {
        val name = Regex("public class (\\w+)").find(program)!!.groupValues[1]
        return loader { classes ->
            val source = File(classes, "$name.java").apply { writeText(program) }
            val compiler = ToolProvider.getSystemJavaCompiler()
            val complaints = StringWriter()
            compiler.getStandardFileManager(null, null, null).use { files ->
                val path = System.getProperty("java.class.path")
                val options = listOf("--release", "8", "-Xlint:-options", "-cp", path, "-d", classes)
                val task = compiler.getTask(complaints, files, null, options, null, files.getJavaFileObjects(source))
                assertTrue(complaints.toString(), task.call())
            }
        }.loadClass(name)
    }

    /** The only function of a program. */
    private fun function(program: Class<*>): Method = program.declaredMethods.single()

    @Test
    fun `the programs in Kotlin`() {
        val programs = programs("kotlin").map { function(kotlin(it)) }.associateBy { it.name }
        assertEquals(setOf("hello", "play"), programs.keys)
        val app = app()
        programs.getValue("hello").invoke(null, app)
        val file = File(app.filesDir, "hello.wav").readBytes()
        assertEquals("RIFF", file.decodeToString(0, 4))
        assertTrue("${file.size} bytes", file.size > 20_000)

        SpeechEngine.builder().bundle(variable("SPEECH_FAKE_MODEL")).load().use { engine ->
            ShadowAudioTrack.addAudioDataListener(listener)
            val text = "First this. Then that."
            programs.getValue("play").invoke(null, engine, text)
            val whole = engine.synthesize(text).toByteArray()
            assertArrayEquals(whole, played.toByteArray().copyOf(whole.size))
        }
    }

    @Test
    fun `the programs in Java`() {
        val context: Context = app()
        val application = Instrumentation.newApplication(java(programs("java").single()), context) as Application
        application.onCreate()
        val field = application.javaClass.getDeclaredField("engine")
        field.isAccessible = true
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60)
        while (field.get(application) == null) {
            assertTrue("no engine after a minute", System.nanoTime() < end)
            Thread.sleep(10)
        }
        (field.get(application) as SpeechEngine).use { engine ->
            assertTrue(engine.synthesize("Hello.").duration() > 0.3)
        }
    }

    @Test
    fun `the lines for Gradle`() {
        val build = blocks("gradle").single()
        val version = File("pom.xml").readText().substringAfter("<version>").substringBefore("<")
        val example = File(variable("SPEECH_ANDROID_EXAMPLE"), "app/build.gradle.kts").readText()
        val packages = listOf("libspeech-sdk-android:$version", "libspeech-sdk-voices-android:$version")
        for (line in packages + listOf("noCompress += \"tar\"", "minSdk = 23")) {
            assertTrue(line, line in build && line in example)
        }
        val size = (variable("SPEECH_REFERENCE_BUNDLE").length() + 500_000) / 1_000_000
        assertTrue("the voices are $size MB", "a file of $size MB" in readme())
    }
}
