package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * CSV and TSV (RFC 4180) with a line of column names; these become the fields of a record, with strings as values.
 * Empty cells are left out. Where rows begin and end is found here, Jackson reads each: so a broken row takes none of
 * the others with it. A quote that is not closed breaks the row that it is in.
 */
final class TableReader implements FormatReader {
    private static final int COLUMNS_MAX = 10_000;
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private final String source;
    private final SkippedParts skipped;
    private final int recordBytesMax;
    private final char separator;
    private final TableRows rows;
    private final ObjectReader cells;
    private List<String> names = List.of();
    private long number;

    /** @param head the first bytes, of which the line of names shows what separates */
    TableReader(String source, InputStream in, byte[] head, SkippedParts skipped, int recordBytesMax) {
        this.source = source;
        this.skipped = skipped;
        this.recordBytesMax = recordBytesMax;
        this.separator = separator(
                new String(head, ISO_8859_1).stripLeading().lines().findFirst().orElse(""));
        this.rows = new TableRows(in, separator);
        this.cells = CsvMapper.builder()
                .enable(CsvParser.Feature.WRAP_AS_ARRAY)
                .build()
                .readerForListOf(String.class)
                .with(CsvSchema.emptySchema().withColumnSeparator(separator));
    }

    /** The one of tab, comma and semicolon that a line has most. */
    static char separator(String line) {
        char found = ',';
        long most = count(line, found);
        for (char other : new char[] {'\t', ';'}) {
            long count = count(line, other);
            if (count > most) {
                most = count;
                found = other;
            }
        }
        return found;
    }

    private static long count(String line, char searched) {
        return line.chars().filter(c -> c == searched).count();
    }

    @Override
    public @Nullable FeedRecord next() throws IOException {
        if (number == 0) {
            number++;
            if (!rows.advance()) {
                return null;
            }
            names = names();
        }
        FeedRecord record = null;
        while (record == null && rows.advance()) {
            number++;
            record = record();
        }
        return record;
    }

    @Override
    public long number() {
        return number;
    }

    private List<String> names() throws IOException {
        long cells = cells();
        List<String> found = cells > COLUMNS_MAX ? null : row();
        if (found == null) {
            throw new IOException(source + ": expected a first line with at most " + COLUMNS_MAX
                    + " names of columns, found " + (cells > COLUMNS_MAX ? cells + " cells" : "no row"));
        }
        Set<String> taken = new HashSet<>();
        Map<String, Integer> numbers = new HashMap<>();
        List<String> unique = new ArrayList<>();
        for (String name : found) {
            String stripped = name.replace(BYTE_ORDER_MARK, "").strip();
            String whole = stripped.isEmpty() ? "column" + (unique.size() + 1) : stripped;
            String free = whole;
            while (!taken.add(free)) {
                free = whole + "_" + (numbers.merge(whole, 1, Integer::sum) + 1);
            }
            unique.add(free);
        }
        return unique;
    }

    private @Nullable FeedRecord record() {
        if (rows.isBroken() && separator != '\t') {
            skip(Skip.BROKEN, "a quote is not closed, or there is something behind a cell in quotes");
            return null;
        }
        long cells = cells();
        if (cells > COLUMNS_MAX) {
            skip(Skip.BROKEN, "expected " + names.size() + " cells, found " + cells);
            return null;
        }
        // In TSV a quote is often nothing but a quote.
        List<String> row = rows.isBroken() ? List.of(text().split("\t", -1)) : row();
        if (row == null) {
            skip(Skip.BROKEN, "it is not as CSV wants it");
            return null;
        }
        if (row.size() > names.size()) {
            skip(Skip.BROKEN, "expected " + names.size() + " cells, found " + row.size());
            return null;
        }
        RecordJson json = new RecordJson();
        for (int i = 0; i < row.size(); i++) {
            json.put(names.get(i), row.get(i));
        }
        return json.record(source, number, recordBytesMax);
    }

    private void skip(Skip skip, String found) {
        skipped.add(skip, source, number, rows.offset(), found);
    }

    /** Known before the row is parsed: a list of millions of cells would not fit into memory. */
    private long cells() {
        return 1 + (rows.isBroken() ? count(text(), separator) : rows.separators());
    }

    private String text() {
        return Charsets.decode(rows.bytes(), null);
    }

    private @Nullable List<String> row() {
        try (MappingIterator<List<String>> read = cells.readValues(text())) {
            return read.hasNext() ? read.next() : List.of();
        } catch (JsonProcessingException e) {
            return null;
        } catch (IOException | RuntimeException e) {
            // The library wraps its own exceptions in these when it looks ahead.
            return null;
        }
    }
}
