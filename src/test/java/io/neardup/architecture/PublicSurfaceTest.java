package io.neardup.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.neardup.docs.Chapter;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a user may call is what the chapter lists; of all else its package says that it is internal. */
class PublicSurfaceTest {
    private static final String ROOT = "io.neardup.";
    private static final String EXAMPLES = ROOT + "examples.";
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern INTERNAL = Pattern.compile("<p>Internal(?:, but for ([^.]*))?\\.\\s");

    /** By class, with nested ones behind a dollar, what is called of it. */
    private static Map<String, List<String>> listed() {
        Map<String, List<String>> listed = new TreeMap<>();
        Chapter.read(Chapter.FOLDER.resolve("library.md"))
                .table("surface")
                .forEach(row -> listed.put(
                        code(row.get(0)).get(0).replaceAll("(\\.[A-Z]\\w*)\\.([A-Z])", "$1\\$$2"), code(row.get(1))));
        return listed;
    }

    private static List<String> code(String cell) {
        return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
    }

    @Test
    void shouldListWhatThereIs() throws ClassNotFoundException {
        for (String name : listed().keySet()) {
            Class<?> type = Class.forName(ROOT + name);

            assertThat(Modifier.isPublic(type.getModifiers())).as(name).isTrue();
            assertThat(Stream.concat(
                            Stream.of(type.getMethods()).map(method -> method.getName()),
                            Stream.of(type.getConstructors()).map(made -> type.getSimpleName())))
                    .as(name)
                    .containsAll(listed().get(name));
        }
    }

    @Test
    void shouldListAllThatExamplesCall() {
        List<String> called = new ClassFileImporter()
                .importPackages(EXAMPLES.substring(0, EXAMPLES.length() - 1)).stream()
                        .filter(type -> !type.getName().matches(".*(IT|Test)"))
                        .flatMap(type -> type.getAccessesFromSelf().stream())
                        .map(JavaAccess::getTarget)
                        .filter(target -> target.getOwner().getName().startsWith(ROOT))
                        .filter(target -> !target.getOwner().getName().startsWith(EXAMPLES))
                        .map(target -> target.getOwner().getName().substring(ROOT.length()) + " "
                                + target.getName()
                                        .replace("<init>", target.getOwner().getSimpleName()))
                        .distinct()
                        .toList();

        assertThat(called)
                .hasSizeGreaterThan(10)
                .isSubsetOf(listed().entrySet().stream()
                        .flatMap(entry -> entry.getValue().stream().map(member -> entry.getKey() + " " + member))
                        .toList());
    }

    @Test
    void shouldCallEveryPackageInternalButForWhatIsListed() throws IOException {
        for (String packageName : LayersTest.packageNames()) {
            Path file = Path.of("src/main/java/io/neardup", packageName.split("\\.", -1))
                    .resolve("package-info.java");
            Matcher said = INTERNAL.matcher(Files.readString(file));

            assertThat(said.find()).as("%s says what is internal", file).isTrue();
            assertThat(said.group(1) == null ? "" : said.group(1).replaceAll("\\{@link|}|\\*|\\s", ""))
                    .as(file.toString())
                    .isEqualTo(listed().keySet().stream()
                            .filter(name -> name.matches(Pattern.quote(packageName) + "\\.[A-Z]\\w*"))
                            .map(name -> name.substring(packageName.length() + 1))
                            .collect(Collectors.joining(",")));
        }
    }
}
