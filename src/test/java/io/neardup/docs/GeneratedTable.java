package io.neardup.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A table of a chapter that is generated. With {@code -Dsettings.write=true} tests renew it and check nothing. */
public final class GeneratedTable {
    private GeneratedTable() {}

    /**
     * Checks that a chapter has a table.
     *
     * @param name of the marks around it
     * @param test renews it
     */
    public static void check(Path chapter, String name, String table, Class<?> test) throws IOException {
        String text = Files.readString(chapter);
        String mark = "<!-- " + name + ":begin -->\n";
        int begin = text.indexOf(mark) + mark.length();
        int end = text.indexOf("<!-- " + name + ":end -->\n");
        if (Boolean.getBoolean("settings.write")) {
            Files.writeString(chapter, text.substring(0, begin) + table + text.substring(end));
            return;
        }

        assertThat(text.substring(begin, end))
                .as(
                        "the table in %s; mvn test -Dtest=%s -Dsettings.write=true renews it",
                        chapter, test.getSimpleName())
                .isEqualTo(table);
    }
}
