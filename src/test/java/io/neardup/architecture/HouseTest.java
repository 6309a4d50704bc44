package io.neardup.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How sources look that a reader finds his way in: the formatter leaves Javadoc and strings as they are. */
class HouseTest {
    private static final int COLUMNS_MAX = 120;

    @Test
    void shouldHaveShortLinesWithoutTabsAndWithoutWhiteSpaceBeforeTheirEnd() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                // The ends of lines are kept, so that white space before them is seen.
                String[] lines = Files.readString(file).split("\n", -1);
                for (int i = 0; i < lines.length; i++) {
                    boolean isLong = lines[i].codePointCount(0, lines[i].length()) > COLUMNS_MAX;
                    if (isLong || lines[i].indexOf('\t') >= 0 || !lines[i].equals(lines[i].stripTrailing())) {
                        found.add(file + ":" + (i + 1));
                    }
                }
            }
        }

        assertThat(found)
                .as("lines over %d columns, with a tab, or with white space at the end", COLUMNS_MAX)
                .isEmpty();
    }
}
