package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.neardup.config.NeardupConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each place where {@link FaultAgent} cuts in is there: kills that never come would be seen by -Pfaults alone. */
class FaultPointTest {
    private static JavaClass only(String name) throws IOException {
        Path program = Path.of(URI.create(NeardupConfig.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
        try (Stream<Path> files = Files.walk(program)) {
            List<Path> found =
                    files.filter(file -> file.endsWith(name + ".class")).toList();
            assertThat(found).as("types of the name %s", name).hasSize(1);
            return new ClassFileImporter().importPath(found.get(0)).iterator().next();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeInTheCode(FaultPoint point) throws IOException {
        JavaClass type = only(point.type);
        boolean isThere =
                switch (point.how) {
                    case BEFORE, AFTER, ON_FLUSH_BEGUN, ON_FILE, ON_FLUSHED -> declares(type, point.method);
                    case BEFORE_MOVE, AFTER_MOVE, AFTER_DELETION ->
                        type.getMethodCallsFromSelf().stream()
                                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(Files.class)
                                        && call.getName().equals(point.method));
                };

        assertThat(isThere).as("%s of %s", point.method, type.getName()).isTrue();
    }

    @Test
    void shouldFindWhatItNeedsOfRocksAndSegments() throws IOException {
        assertThat(declares(only(FaultAgent.ORIGINALS_DISK), "flush")).isTrue();
        assertThat(declares(only(FaultAgent.ORIGINALS_DISK), FaultAgent.CLOSE_ROCKS))
                .isTrue();
        assertThat(declares(only(FaultAgent.SEGMENTS), FaultAgent.IS_DUE)).isTrue();
    }

    private static boolean declares(JavaClass type, String method) {
        return type.getMethods().stream().anyMatch(found -> found.getName().equals(method));
    }
}
