package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The packages for Android as an app's build reads them. */
final class AndroidPackageTest {
    private static final String SDK = "libspeech-sdk-android";
    private static final String VOICES = "libspeech-sdk-voices-android";

    private static File file(String artifact) {
        return new File(System.getProperty(artifact));
    }

    private static byte[] read(String artifact, String name) throws IOException {
        try (ZipFile aar = new ZipFile(file(artifact))) {
            ZipEntry entry = aar.getEntry(name);
            assertNotNull(entry, name);
            try (InputStream in = aar.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }
    }

    private static Document xml(byte[] bytes) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {SDK, VOICES})
    void theManifestAsksForAndroid6AndNothingElse(String artifact) throws Exception {
        Element manifest = xml(read(artifact, "AndroidManifest.xml")).getDocumentElement();
        assertTrue(manifest.getAttribute("package").startsWith("io.libspeech."));
        NodeList children = manifest.getElementsByTagName("*");
        assertEquals(1, children.getLength());
        Element uses = (Element) children.item(0);
        assertEquals("uses-sdk", uses.getTagName());
        String android = "http://schemas.android.com/apk/res/android";
        assertEquals("23", uses.getAttributeNS(android, "minSdkVersion"));
        assertEquals(0, read(artifact, "R.txt").length, "there are no resources");
    }

    @ParameterizedTest
    @ValueSource(strings = {SDK, VOICES})
    void theBuildToolsAreAskedForNothing(String artifact) throws Exception {
        Properties metadata = new Properties();
        byte[] bytes = read(artifact, "META-INF/com/android/build/gradle/aar-metadata.properties");
        metadata.load(new ByteArrayInputStream(bytes));
        assertEquals("1.0", metadata.getProperty("aarFormatVersion"));
        assertEquals("1.0", metadata.getProperty("aarMetadataVersion"));
        assertTrue(Integer.parseInt(metadata.getProperty("minCompileSdk")) <= 34);
    }

    @Test
    void theClassesAreThoseOfAndroidAlone() throws Exception {
        Set<String> names = new TreeSet<>();
        try (ZipInputStream jar = new ZipInputStream(new ByteArrayInputStream(read(SDK, "classes.jar")))) {
            for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
                if (entry.getName().endsWith(".class")) {
                    names.add(entry.getName());
                }
            }
        }
        assertTrue(names.contains("io/libspeech/android/AndroidSpeech.class"), names.toString());
        assertTrue(names.stream().allMatch(name -> name.startsWith("io/libspeech/android/")), names.toString());
        assertTrue(new String(read(SDK, "proguard.txt")).contains("-keep class io.libspeech.Native"));
    }

    @Test
    void theVoicesAreAnAsset() throws Exception {
        byte[] tar = read(VOICES, "assets/libspeech/voices.tar");
        assertTrue(tar.length > 50_000_000, tar.length + " bytes");
        assertEquals("bundle.json", new String(tar, 0, 11));
    }

    @ParameterizedTest
    @ValueSource(strings = {SDK, VOICES})
    void thePomIsThatOfAnAar(String artifact) throws Exception {
        File aar = file(artifact);
        File pom = new File(aar.getParentFile(), aar.getName().replace(".aar", ".pom"));
        Element project;
        try (InputStream in = pom.toURI().toURL().openStream()) {
            project = xml(in.readAllBytes()).getDocumentElement();
        }
        assertEquals("aar", text(project, "packaging"));
        assertEquals(artifact, text(project, "artifactId"));
        for (String required : List.of("name", "description", "url", "license", "developer", "scm")) {
            assertTrue(project.getElementsByTagName(required).getLength() > 0, required);
        }
        Set<String> dependencies = new TreeSet<>();
        NodeList list = project.getElementsByTagName("dependency");
        for (int i = 0; i < list.getLength(); i++) {
            assertEquals("compile", text((Element) list.item(i), "scope"));
            dependencies.add(text((Element) list.item(i), "artifactId"));
        }
        assertEquals(artifact.equals(SDK) ? Set.of("jspecify", "libspeech-sdk") : Set.of(), dependencies);
        for (String kind : List.of("-sources.jar", "-javadoc.jar")) {
            File jar = new File(aar.getParentFile(), aar.getName().replace(".aar", kind));
            assertTrue(jar.isFile(), jar.toString());
        }
    }

    private static String text(Element parent, String name) {
        return parent.getElementsByTagName(name).item(0).getTextContent();
    }
}
