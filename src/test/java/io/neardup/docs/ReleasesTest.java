package io.neardup.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.topology.DedupTopology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page on releases, held to the build. */
class ReleasesTest {
    private static final Chapter PAGE = Chapter.read(Chapter.FOLDER.resolve("changes.md"));

    private static List<String> releases() {
        return PAGE.lines().stream()
                .filter(line -> line.matches("## \\d+\\.\\d+\\.\\d+"))
                .map(line -> line.substring(3))
                .toList();
    }

    @Test
    void shouldTellOfThisReleaseFirst() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));

        assertThat(pom)
                .containsPattern("<artifactId>neardup</artifactId>\\s+<version>"
                        + releases().get(0) + "</");
    }

    @Test
    void shouldTellWhatThisReleaseReads() {
        List<List<String>> rows = PAGE.table("layouts");
        Map<String, String> read = new HashMap<>();
        DedupTopology.layouts().forEach((kind, version) -> read.put("`" + kind + "`", String.valueOf(version)));

        assertThat(rows).extracting(row -> row.get(0)).isEqualTo(releases());
        List<String> heads = List.of("`state`", "`messages`", "`band-log`");
        for (int i = 0; i < heads.size(); i++) {
            assertThat(rows.get(0).get(i + 1)).as(heads.get(i)).isEqualTo(read.get(heads.get(i)));
        }
        assertThat(read).containsOnlyKeys(heads);
    }
}
