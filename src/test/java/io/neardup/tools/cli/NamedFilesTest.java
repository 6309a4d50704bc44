package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Each command that takes a file or a folder says which one it cannot take, at once, with exit code 2. */
class NamedFilesTest extends CommandTest {
    private static final Set<String> LABELS_OF_FILES = Set.of("FILE", "OUT", "PAIRS", "DIR");
    /** What commands share is tried with one of them. */
    private static final Set<String> SHARED = Set.of("--config", "--command-config");

    /** What is read: {@code @} is the file in question, {@code =} one that is as it should be. */
    static final List<String> READ = List.of(
            "local @",
            "local = --config @",
            "local = --set neardup.boilerplate=@",
            "local = --set neardup.signature=simhash --set neardup.shingle=word:1"
                    + " --set neardup.simhash.frequencies=@",
            "local = --set neardup.source=/source --set neardup.publishers=@",
            "feed @ --set bootstrap.servers=localhost:1",
            "run --config @",
            "run --command-config @",
            "run --set bootstrap.servers=localhost:1 --set neardup.http.listen=127.0.0.1:0"
                    + " --set neardup.http.token.file=@",
            "status --url http://localhost:1 --token-file @",
            "index reset --config @",
            "check @ --url http://localhost:1",
            "check = --url http://localhost:1 --token-file @",
            "diff = = --documents @",
            "tune @",
            "tune weights @ --write out --set neardup.shingle=word:2",
            "tune boilerplate @ --write out",
            "evaluate @",
            "evaluate = --labels @");

    /** What is written: here {@code @} is in a folder that is not there. */
    static final List<String> WRITTEN = List.of(
            "local = --out =/out",
            "local = --tune --out =/out",
            "local = --serve --data =/out",
            "feed = --skipped @ --set bootstrap.servers=localhost:1",
            "plan --bands 42 --rows 3 --png @",
            "plan --bands 42 --rows 3 --svg @",
            "tune = --write @",
            "tune = --ask --answers @",
            "tune boilerplate = --write @",
            "tune weights = --write @ --set neardup.shingle=word:2");

    @TempDir
    private Path folder;

    private Path sound = Path.of(".");

    @BeforeEach
    void writeDocuments() throws IOException {
        String lines = IntStream.range(0, 30)
                .mapToObj(i -> "{\"id\":\"" + i + "\",\"text\":\"A report of the harbour, number " + i + "\"}\n")
                .collect(Collectors.joining());
        sound = Files.writeString(folder.resolve("sound.jsonl"), lines);
    }

    @ParameterizedTest
    @FieldSource("READ")
    void shouldNameAFileThatIsNotThere(String line) {
        Path missing = folder.resolve("missing");

        assertThat(refused(line, missing)).contains(missing.toString()).doesNotContain("\tat ", "unexpected");
    }

    @ParameterizedTest
    @MethodSource("readAsOneFile")
    void shouldNameAFolderInPlaceOfAFile(String line) throws IOException {
        Path other = Files.createDirectory(folder.resolve("folder"));
        Files.writeString(other.resolve("page.html"), "<html><title>One</title><p>A page.</p></html>");

        assertThat(refused(line, other)).contains(other.toString()).doesNotContain("\tat ", "unexpected");
    }

    @ParameterizedTest
    @FieldSource("WRITTEN")
    void shouldNameAFileThatCannotBeWritten(String line) {
        Path file = folder.resolve("missing/out");

        assertThat(refused(line, file)).contains("/out").doesNotContain("\tat ", "unexpected");
        assertThat(out.toString()).as("before it works").isEmpty();
    }

    /** Feeds may be folders. */
    static Stream<String> readAsOneFile() {
        return READ.stream().filter(line -> !line.matches("((tune )?\\S+|diff = = --documents) @.*"));
    }

    /** A new one wants a line above. */
    @Test
    void shouldTryEachOfThem() {
        Set<String> named = new TreeSet<>();
        commands().forEach((name, command) -> command.getCommandSpec().args().stream()
                .filter(arg -> isFile(arg) && !SHARED.contains(shown(arg)))
                .forEach(arg -> named.add(name + " " + shown(arg))));

        assertThat(named).isNotEmpty().allSatisfy(one -> assertThat(
                        Stream.of(READ, WRITTEN).flatMap(List::stream).filter(line -> tries(line, one)))
                .isNotEmpty());
    }

    private static boolean tries(String line, String one) {
        int last = one.lastIndexOf(' ');
        String command = one.substring(0, last);
        String argument = one.substring(last + 1);
        return line.startsWith(command + " ")
                && (argument.startsWith("--") ? line.contains(argument + " ") : line.startsWith(command + " @"));
    }

    private static boolean isFile(ArgSpec arg) {
        return arg.type() == Path.class || LABELS_OF_FILES.contains(arg.paramLabel());
    }

    private static String shown(ArgSpec arg) {
        return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    }

    private String refused(String line, Path file) {
        return refused(Arrays.stream(line.split(" ", -1))
                .map(word -> word.replaceFirst("^=", sound.toString()).replace("@", file.toString()))
                .toArray(String[]::new));
    }
}
