package com.example.speech

import android.app.Activity
import android.app.Application
import android.app.Service
import java.io.File
import java.lang.reflect.Modifier
import javax.xml.parsers.DocumentBuilderFactory
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import org.w3c.dom.Element

private const val ANDROID = "http://schemas.android.com/apk/res/android"

/** The files for Gradle and Android's own tools, checked as far as possible without them. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class FilesTest {
    private val root = variable("SPEECH_ANDROID_EXAMPLE")
    private val main = File(root, "app/src/main")
    private val library = File(root, "../../bindings/jvm/android/src/main")

    private fun parsed(file: File): Element {
        val factory = DocumentBuilderFactory.newInstance()
        factory.isNamespaceAware = true
        return factory.newDocumentBuilder().parse(file).documentElement
    }

    private fun Element.all(name: String): List<Element> {
        val found = getElementsByTagName(name)
        return (0 until found.length).map { found.item(it) as Element }
    }

    private fun Element.attribute(name: String) = getAttributeNS(ANDROID, name)

    private fun named(name: String) = Class.forName(if (name.startsWith(".")) "com.example.speech$name" else name)

    @Test
    fun `every resource is well-formed, and there`() {
        val files = main.walk().filter { it.extension == "xml" }.toList()
        assertEquals(4, files.size)
        val strings = parsed(File(main, "res/values/strings.xml")).all("string").map { it.getAttribute("name") }
        for (file in files) {
            parsed(file)
            for (reference in Regex("\"@(\\w+)/(\\w+)\"").findAll(file.readText())) {
                val (kind, name) = reference.destructured
                val there = if (kind == "string") name in strings else File(main, "res/$kind/$name.xml").exists()
                assertTrue(reference.value, there)
            }
        }
    }

    @Test
    fun `the manifest names the classes that there are`() {
        val manifest = parsed(File(main, "AndroidManifest.xml"))
        val application = manifest.all("application").single()
        assertEquals(SpeechApp::class.java, named(application.attribute("name")))
        assertTrue(Application::class.java.isAssignableFrom(named(application.attribute("name"))))
        val activities = manifest.all("activity").map { named(it.attribute("name")) }
        val sources = File(main, "kotlin/com/example/speech").listFiles()!!.map { it.nameWithoutExtension }
        assertEquals(sources.filter { it.endsWith("Activity") }.toSet(), activities.map { it.simpleName }.toSet())
        assertTrue(activities.all { Activity::class.java.isAssignableFrom(it) })
        val service = manifest.all("service").single()
        assertEquals(VoiceService::class.java, named(service.attribute("name")))
        assertTrue(Service::class.java.isAssignableFrom(VoiceService::class.java))
        // Since Android 12 a component with an intent filter must declare `exported`.
        for (filter in manifest.all("intent-filter")) {
            assertEquals("true", (filter.parentNode as Element).attribute("exported"))
        }
        val actions = manifest.all("action").map { it.attribute("name") }
        for (action in listOf("TTS_SERVICE", "CHECK_TTS_DATA", "GET_SAMPLE_TEXT")) {
            assertTrue(action, actions.any { it.endsWith(".$action") })
        }
        val settings = parsed(File(main, "res/xml/tts_engine.xml"))
        assertEquals("tts-engine", settings.tagName)
        assertEquals(SettingsActivity::class.java, named(settings.attribute("settingsActivity")))
    }

    @Test
    fun `the build has this version, and leaves the voices as they are`() {
        val build = File(root, "app/build.gradle.kts").readText()
        val version = File("pom.xml").readText().substringAfter("<version>").substringBefore("<")
        val dependencies = Regex("implementation\\(\"io.libspeech:(.*?):(.*?)\"\\)").findAll(build).toList()
        assertEquals(listOf("libspeech-sdk-android", "libspeech-sdk-voices-android"), dependencies.map { it.groupValues[1] })
        assertTrue(dependencies.all { it.groupValues[2] == version })
        assertTrue("noCompress += \"tar\"" in build)
        assertTrue("minSdk = 23" in build)
        val kotlin = File("../pom.xml").readText().substringAfter("<kotlin.version>").substringBefore("<")
        assertTrue("version \"$kotlin\"" in File(root, "build.gradle.kts").readText())
    }

    @Test
    fun `the manifest of the library asks for nothing`() {
        val manifest = parsed(File(library, "AndroidManifest.xml"))
        assertEquals("io.libspeech.android", manifest.getAttribute("package"))
        assertEquals("23", manifest.all("uses-sdk").single().attribute("minSdkVersion"))
        assertEquals(emptyList<Element>(), manifest.all("uses-permission"))
    }

    /** The rules keep all classes and methods that the native library finds by name. */
    @Test
    fun `the rules for R8 name what there is`() {
        val rules = File(library, "proguard.txt").readText()
        val classes = Regex("-keep class (\\S+)").findAll(rules).map { Class.forName(it.groupValues[1]) }.toList()
        assertEquals(listOf("Native", "Completion"), classes.map { it.simpleName })
        assertTrue(classes[0].declaredMethods.any { Modifier.isNative(it.modifiers) })
        assertNotNull(classes[1].getDeclaredMethod("allocate", Int::class.java))
        assertNotNull(classes[1].getDeclaredMethod("complete", ByteArray::class.java, java.nio.ByteBuffer::class.java))
        assertTrue("\n-keepnames class io.libspeech.*\n" in rules)
        val rust = File(root, "../../bindings/jvm/src")
        val called = rust.walk().filter { it.extension == "rs" }.joinToString("") { it.readText() }
        val names = Regex("jni_str!\\(\"(.*?)\"\\)").findAll(called).map { it.groupValues[1] }.toSet()
        assertEquals(setOf("complete", "allocate"), names)
        val natives = Regex("Java_io_libspeech_(\\w+?)_(\\w+)").findAll(called).map { it.groupValues[1] }.toSet()
        assertEquals(setOf("Native"), natives)
    }
}
