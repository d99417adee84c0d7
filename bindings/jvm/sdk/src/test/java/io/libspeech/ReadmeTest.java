package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of the package's README with the fake model, and those of the repository's
 * documentation with the real voices.
 */
class ReadmeTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent().getParent();

    @TempDir static Path folder;

    private static String readme() {
        return Support.read(ROOT.resolve("bindings").resolve("jvm").resolve("README.md"));
    }

    /** The repository's README and its documentation. */
    private static String pages() {
        return Support.read(Support.variable("SPEECH_PAGES").toPath());
    }

    /** The blocks of a kind, except those for Android, which its module runs. */
    private static List<String> blocks(String text, String kind) {
        return Pattern.compile("^```" + kind + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(result -> result.group(1))
                .filter(block -> !block.contains("import android."))
                .collect(Collectors.toList());
    }

    /** The expected output, from the comments beside the print statements. */
    private static List<String> promises(String block) {
        return Pattern.compile("println\\(.*\\); // (.+)$", Pattern.MULTILINE)
                .matcher(block)
                .results()
                .map((MatchResult result) -> result.group(1))
                .collect(Collectors.toList());
    }

    /** Makes a program of a block of statements. */
    private static String program(String name, String block) {
        List<String> imports = block.lines().filter(line -> line.startsWith("import ")).collect(Collectors.toList());
        String body = block.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
        return String.join("\n", imports)
                + "\nclass "
                + name
                + " {\npublic static void main(String[] arguments) throws Exception {\n"
                + body
                + "\n}\n}\n";
    }

    private static void run(String name, String block, File bundle) throws Exception {
        Path source = folder.resolve(name + ".java");
        Files.writeString(source, program(name, block));
        String path = new File(SpeechEngine.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("--release", "11", "-Xlint:-options", "-cp", path, "-d", folder.toString());
            boolean compiled =
                    compiler.getTask(complaints, files, null, options, null, files.getJavaFileObjects(source)).call();
            assertTrue(compiled, complaints.toString());
        }
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.add("-Dlibspeech.library=" + System.getProperty(NativeLibrary.PROPERTY));
        command.add("-Dlibspeech.bundle=" + bundle);
        command.add("-Dfile.encoding=UTF-8");
        command.add("-Dstdout.encoding=UTF-8");
        command.addAll(List.of("-cp", path + File.pathSeparator + folder, name));
        List<String> printed = Support.run(new ProcessBuilder(command).directory(folder.toFile())).lines().collect(Collectors.toList());
        for (String promise : promises(block)) {
            assertTrue(printed.contains(promise), promise + "\nis not in\n" + printed);
        }
        for (MatchResult file : Pattern.compile("save\\(new File\\(\"(.*?)\"").matcher(block).results().collect(Collectors.toList())) {
            byte[] wav = Files.readAllBytes(folder.resolve(file.group(1)));
            assertEquals("RIFF", new String(wav, 0, 4, java.nio.charset.StandardCharsets.US_ASCII));
        }
    }

    private static Stream<DynamicTest> programs(String prefix, String text, File bundle) {
        List<String> blocks = blocks(text, "java");
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            String name = prefix + (i + 1);
            String block = blocks.get(i);
            tests.add(DynamicTest.dynamicTest(name, () -> run(name, block, bundle)));
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> everyProgramOfThePackageWorks() {
        return programs("Package", readme(), Support.fakeBundle());
    }

    @TestFactory
    Stream<DynamicTest> everyProgramOfTheRepositoryWorks() {
        return programs("Repository", pages(), Support.variable("SPEECH_REFERENCE_BUNDLE"));
    }

    @Test
    void everyBlockIsOfAKindThatIsTested() {
        String text = readme();
        Set<String> kinds = new TreeSet<>();
        Pattern.compile("^```(.*)$", Pattern.MULTILINE).matcher(text).results().forEach(result -> kinds.add(result.group(1)));
        kinds.remove("gradle");
        assertEquals(Set.of("", "java", "kotlin", "xml"), kinds);
        String version = Support.read(Path.of("pom.xml")).split("<version>")[1].split("<")[0];
        for (String dependency : blocks(text, "xml")) {
            assertTrue(dependency.contains("<version>" + version + "</version>"), dependency);
        }
        assertTrue(pages().contains("libspeech-sdk-desktop:" + version), "the README of the repository names another version");
        assertTrue(!blocks(pages(), "java").isEmpty());
    }

    @Test
    void itNamesWhatThereIs() throws Exception {
        List<MatchResult> named =
                Pattern.compile("`(\\w+Exception)`").matcher(readme()).results().collect(Collectors.toList());
        assertTrue(named.size() >= 8);
        for (MatchResult name : named) {
            Class.forName("io.libspeech." + name.group(1));
        }
        for (MatchResult platform : Pattern.compile("<id>((linux|macos|windows)-.*?)</id>").matcher(Support.read(Path.of("pom.xml"))).results().collect(Collectors.toSet())) {
            assertTrue(readme().contains("`" + platform.group(1) + "`"), platform.group(1));
        }
    }
}
