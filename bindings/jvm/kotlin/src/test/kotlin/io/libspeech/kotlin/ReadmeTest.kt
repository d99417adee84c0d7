package io.libspeech.kotlin

import java.io.ByteArrayOutputStream
import java.io.File
import java.io.PrintStream
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import org.jetbrains.kotlin.cli.common.ExitCode
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.io.TempDir

private val README = File(File("").absoluteFile.parentFile, "README.md")

/** The programs in Kotlin of the package's README, and those of the documentation. */
class ReadmeTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `there are programs`() = assertTrue(README.readText().contains("```kotlin\n"))

    @TestFactory
    fun `every program works`(): List<DynamicTest> =
        programs(README, variable("SPEECH_FAKE_MODEL")) +
            programs(variable("SPEECH_PAGES"), variable("SPEECH_REFERENCE_BUNDLE"))

    private fun variable(name: String) = File(checkNotNull(System.getenv(name)) { "$name is not set" })

    private fun programs(readme: File, bundle: File): List<DynamicTest> {
        val blocks =
            Regex("(?ms)^```kotlin\n(.*?)^```$")
                .findAll(readme.readText())
                .map { it.groupValues[1] }
                // The module for Android runs those.
                .filter { "import android." !in it }
                .toList()
        return blocks.mapIndexed { index, block ->
            DynamicTest.dynamicTest("${readme.parentFile.name} ${index + 1}") {
                run(block, bundle, folder.resolve("${readme.parentFile.name}$index").toFile())
            }
        }
    }

    private fun run(block: String, bundle: File, classes: File) {
        classes.mkdirs()
        val source = File(classes, "Program.kt").apply { writeText(block) }
        val path = System.getProperty("java.class.path")
        val complaints = ByteArrayOutputStream()
        val arguments = arrayOf("-no-stdlib", "-no-reflect", "-classpath", path, "-d", classes.path, source.path)
        val code = K2JVMCompiler().exec(PrintStream(complaints), *arguments)
        assertEquals(ExitCode.OK, code, complaints.toString())
        val java = File(System.getProperty("java.home"), "bin/java").path
        val options =
            listOf(
                "-Dlibspeech.library=" + System.getProperty("libspeech.library"),
                "-Dlibspeech.bundle=$bundle",
                "-Dfile.encoding=UTF-8",
                "-Dstdout.encoding=UTF-8",
            )
        val command = listOf(java) + options + listOf("-cp", path + File.pathSeparator + classes.path, "ProgramKt")
        val process = ProcessBuilder(command).directory(classes).redirectErrorStream(true).start()
        val printed = process.inputStream.readBytes().decodeToString()
        assertTrue(process.waitFor(60, TimeUnit.SECONDS))
        assertEquals(0, process.exitValue(), printed)
        val promises = Regex("(?m)println\\(.*\\) // (.+)$").findAll(block).map { it.groupValues[1] }
        for (promise in promises) {
            assertTrue(promise in printed.lines(), "$promise\nis not in\n$printed")
        }
    }
}
