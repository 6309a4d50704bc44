package io.neardup.sources;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All statements, read from {@code statements.tsv}: id, topic, kind, statement, given, expected, note. The letter of an
 * id is the source: A deduplicates the news of RCV1 in Python, B is the background of MinHash and LSH, C does SimHash
 * and MinHash, D finds bands and rows for job ads, E is a blog of LingPipe on the steps, with readers on Nutch. Given
 * and expected are {@code name=value} with a semicolon and a space between; an underscore in a shingle is a space.
 */
public final class SourceTable {
    private static final String FILE = "statements.tsv";
    private static final int COLUMNS = 7;
    private static final Map<String, Statement> BY_ID = read();

    private SourceTable() {}

    public static List<Statement> statements() {
        return List.copyOf(BY_ID.values());
    }

    public static Statement statement(String id) {
        Statement found = BY_ID.get(id);
        if (found == null) {
            throw new IllegalArgumentException("No statement " + id + " in " + FILE);
        }
        return found;
    }

    private static Map<String, Statement> read() {
        InputStream file = SourceTable.class.getResourceAsStream(FILE);
        if (file == null) {
            throw new IllegalStateException(FILE + ": not among the resources");
        }
        Map<String, Statement> byId = new LinkedHashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, UTF_8))) {
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Statement statement = parse(line);
                if (byId.put(statement.id(), statement) != null) {
                    throw new IllegalStateException(FILE + ": " + statement.id() + " twice");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return byId;
    }

    private static Statement parse(String line) {
        List<String> cells = new ArrayList<>(List.of(line.split("\t", -1)));
        if (cells.size() != COLUMNS) {
            throw new IllegalStateException(
                    FILE + ": expected " + COLUMNS + " columns, found " + cells.size() + " in: " + line);
        }
        return new Statement(
                cells.get(0),
                cells.get(1),
                Statement.Kind.of(cells.get(2)),
                cells.get(3),
                pairs(cells.get(4)),
                pairs(cells.get(5)),
                cells.get(6));
    }

    private static Map<String, String> pairs(String cell) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : cell.isEmpty() ? new String[0] : cell.split("; ", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1 || pairs.put(pair.substring(0, equals), pair.substring(equals + 1)) != null) {
                throw new IllegalStateException(FILE + ": expected name=value, each name once, found: " + pair);
            }
        }
        return pairs;
    }
}
