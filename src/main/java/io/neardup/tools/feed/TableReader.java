package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * CSV and TSV (RFC 4180) with a line of column names; these become the fields of a record, with strings as values.
 * Empty cells are left out. A row with more cells than names is skipped; a quote that is not closed, or that has
 * something behind it, ends the file, as all that follows would be taken for what it is not.
 *
 * <p>Jackson is given a char for each byte, so that its places are bytes, and each cell is decoded for itself.
 */
final class TableReader implements FormatReader {
    private static final int COLUMNS_MAX = 10_000;
    /** The most bytes of a row. */
    private static final int ROW_BYTES_MAX = 16 << 20;

    private static final CsvFactory CSV = CsvFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(ROW_BYTES_MAX)
                    .build())
            .build();

    private final String source;
    private final SkippedParts skipped;
    private final int recordBytesMax;
    private final CsvParser csv;
    private List<String> names = List.of();
    private long number;
    /** Of the row that was read last. */
    private long offset;

    private long cells;
    private long rowBytes;

    /** @param head the first bytes, of which the line of names shows what separates */
    TableReader(String source, InputStream in, byte[] head, SkippedParts skipped, int recordBytesMax)
            throws IOException {
        this.source = source;
        this.skipped = skipped;
        this.recordBytesMax = recordBytesMax;
        String start = new String(head, ISO_8859_1);
        char separator = separator(start.stripLeading().lines().findFirst().orElse(""));
        CsvSchema schema = CsvSchema.emptySchema().withColumnSeparator(separator);
        csv = CSV.createParser(new InputStreamReader(in, ISO_8859_1));
        csv.setSchema(separator == '\t' && !isQuoting(start, schema) ? schema.withoutQuoteChar() : schema);
    }

    /** In TSV a quote is often nothing but a quote: then what begins with one is no cell in quotes. */
    private static boolean isQuoting(String start, CsvSchema schema) throws IOException {
        try (CsvParser trial = CSV.createParser(start)) {
            trial.setSchema(schema);
            while (trial.nextToken() != null) {
                // up to the end
            }
            return true;
        } catch (JsonProcessingException e) {
            // The last quote may be behind what was looked at.
            return start.length() >= FeedFormat.HEAD_BYTES && e.getLocation().getCharOffset() >= start.length() - 1;
        }
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
            List<String> first = row();
            if (first == null) {
                return null;
            }
            names = names(first);
        }
        FeedRecord record = null;
        number++;
        for (List<String> row = row(); row != null; row = row()) {
            record = record(row);
            if (record != null) {
                return record;
            }
            number++;
        }
        return null;
    }

    @Override
    public long number() {
        return number;
    }

    /** The next with anything in it, as far as its cells are not too many or too long; null at the end. */
    private @Nullable List<String> row() throws IOException {
        try {
            List<String> row;
            do {
                // Behind the line end of the row before.
                offset = number == 1 ? 0 : csv.currentLocation().getCharOffset() + 1;
                if (csv.nextToken() == null) {
                    return null;
                }
                row = new ArrayList<>();
                cells = 0;
                rowBytes = 0;
                for (JsonToken cell = csv.nextToken(); cell != JsonToken.END_ARRAY; cell = csv.nextToken()) {
                    cells++;
                    rowBytes += csv.getTextLength();
                    if (cells <= COLUMNS_MAX && rowBytes <= ROW_BYTES_MAX) {
                        row.add(decoded(csv.getText()));
                    }
                }
            } while (cells <= 1 && (row.isEmpty() || row.get(0).isBlank()) && rowBytes <= ROW_BYTES_MAX);
            return row;
        } catch (JsonProcessingException e) {
            throw new DamagedException(
                    Skip.BROKEN,
                    offset,
                    "a quote is not closed, or there is something behind a cell in quotes, or a cell is too long");
        }
    }

    private static String decoded(String cell) {
        for (int i = 0; i < cell.length(); i++) {
            if (cell.charAt(i) >= 0x80) {
                return Charsets.decode(cell.getBytes(ISO_8859_1), null);
            }
        }
        return cell;
    }

    /** Of their own each: what has none is named by its place, and the second of one has its number. */
    private List<String> names(List<String> found) throws IOException {
        if (cells > COLUMNS_MAX) {
            throw new IOException(source + ": expected a first line with at most " + COLUMNS_MAX
                    + " names of columns, found " + cells + " cells");
        }
        Set<String> taken = new HashSet<>();
        Map<String, Integer> numbers = new HashMap<>();
        List<String> unique = new ArrayList<>();
        for (String name : found) {
            String stripped = name.replace(RecordJson.BYTE_ORDER_MARK, "").strip();
            String whole = stripped.isEmpty() ? "column" + (unique.size() + 1) : stripped;
            String free = whole;
            while (!taken.add(free)) {
                free = whole + "_" + (numbers.merge(whole, 1, Integer::sum) + 1);
            }
            unique.add(free);
        }
        return unique;
    }

    private @Nullable FeedRecord record(List<String> row) {
        if (cells > names.size()) {
            skipped.add(Skip.BROKEN, source, number, offset, "expected " + names.size() + " cells, found " + cells);
            return null;
        }
        if (rowBytes > ROW_BYTES_MAX) {
            skipped.add(
                    Skip.TOO_LARGE,
                    source,
                    number,
                    offset,
                    "expected at most " + ROW_BYTES_MAX + " bytes of a row, found " + rowBytes);
            return null;
        }
        RecordJson json = new RecordJson();
        for (int i = 0; i < row.size(); i++) {
            json.put(names.get(i), row.get(i));
        }
        return json.record(source, number, recordBytesMax);
    }
}
