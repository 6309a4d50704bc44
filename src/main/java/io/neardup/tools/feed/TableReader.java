package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * CSV and TSV (RFC 4180) with a line of column names; these become the fields of a record, with strings as values.
 * Empty cells are left out. A row with more cells than names is skipped; in CSV a quote that is not closed, or that has
 * something behind it, ends the file, as all that follows would be taken for what it is not. In TSV a row is a line,
 * and a quote is often nothing but a quote: a cell is in quotes only where it has one at either end.
 *
 * <p>Jackson is given a char for each byte, so that its places are bytes, and each cell is decoded for itself.
 */
final class TableReader extends FormatReader {
    static final int COLUMNS_MAX = 10_000;
    static final int ROW_BYTES_MAX = 16 << 20;

    private static final CsvFactory CSV = CsvFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(ROW_BYTES_MAX)
                    .build())
            .build();

    private final InputStream in;
    private final boolean isTsv;
    private final CsvSchema schema;
    private @Nullable CsvParser rows;
    private List<String> names = List.of();
    private long cells;
    private long rowBytes;

    /** @param head the first bytes, of which the line of names shows what separates */
    TableReader(String source, InputStream in, byte[] head, Skipped skipped, int recordBytesMax) {
        super(source, skipped, recordBytesMax);
        this.in = in;
        String start = new String(head, ISO_8859_1);
        char separator = separator(start.stripLeading().lines().findFirst().orElse(""));
        isTsv = separator == '\t';
        CsvSchema all = CsvSchema.emptySchema().withColumnSeparator(separator);
        schema = isTsv ? all.withoutQuoteChar() : all;
    }

    /** The one of tab, comma and semicolon that a line has most. */
    static char separator(String line) {
        return Stream.of(',', '\t', ';')
                .max(Comparator.comparingLong(
                        separator -> line.chars().filter(c -> c == separator).count()))
                .orElseThrow();
    }

    @Override
    @Nullable
    FeedRecord read() throws IOException, SkippedException {
        if (number == 1) {
            List<String> first = row();
            if (first == null) {
                return null;
            }
            names = names(first);
            number++;
        }
        List<String> row = row();
        return row == null ? null : record(row);
    }

    /** The next with anything in it, as far as its cells are not too many or too long; null at the end. */
    private @Nullable List<String> row() throws IOException {
        try {
            List<String> row;
            do {
                row = cells();
            } while (row != null && cells <= 1 && (row.isEmpty() || row.get(0).isBlank()) && rowBytes <= ROW_BYTES_MAX);
            return row;
        } catch (StreamConstraintsException e) {
            throw new DamagedException(
                    Skip.TOO_LARGE, offset, "expected at most " + ROW_BYTES_MAX + " bytes of a cell, found more");
        } catch (JsonProcessingException e) {
            throw new DamagedException(
                    Skip.BROKEN, offset, "a quote is not closed, or there is something behind a cell in quotes");
        }
    }

    private @Nullable List<String> cells() throws IOException {
        CsvParser all = rows;
        if (all == null) {
            all = CSV.createParser(new InputStreamReader(in, ISO_8859_1));
            all.setSchema(schema);
            rows = all;
        } else {
            // Behind the line end of the row before.
            offset = all.currentLocation().getCharOffset() + 1;
        }
        cells = 0;
        rowBytes = 0;
        if (all.nextToken() == null) {
            return null;
        }
        List<String> row = new ArrayList<>();
        for (JsonToken cell = all.nextToken(); cell != JsonToken.END_ARRAY; cell = all.nextToken()) {
            cells++;
            rowBytes += all.getTextLength();
            if (cells <= COLUMNS_MAX && rowBytes <= ROW_BYTES_MAX) {
                row.add(decoded(all.getText()));
            }
        }
        return row;
    }

    private String decoded(String cell) {
        boolean isAscii = cell.chars().allMatch(c -> c < 0x80);
        String text = isAscii ? cell : Charsets.decode(cell.getBytes(ISO_8859_1), null);
        boolean isQuoted = isTsv && text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        return isQuoted ? text.substring(1, text.length() - 1).replace("\"\"", "\"") : text;
    }

    /** What has none is named by its place. */
    private List<String> names(List<String> found) throws DamagedException {
        if (cells > COLUMNS_MAX || rowBytes > ROW_BYTES_MAX) {
            throw new DamagedException(
                    Skip.TOO_LARGE,
                    offset,
                    "expected a first line with at most " + COLUMNS_MAX + " names of columns, found "
                            + (cells > COLUMNS_MAX ? cells + " cells" : rowBytes + " bytes"));
        }
        List<String> columns = new ArrayList<>();
        for (String name : found) {
            columns.add(name.isBlank() ? "column" + (columns.size() + 1) : name.strip());
        }
        return columns;
    }

    private FeedRecord record(List<String> row) throws SkippedException {
        if (cells > names.size()) {
            throw new SkippedException(Skip.BROKEN, "expected " + names.size() + " cells, found " + cells);
        }
        if (rowBytes > ROW_BYTES_MAX) {
            throw new SkippedException(
                    Skip.TOO_LARGE, "expected at most " + ROW_BYTES_MAX + " bytes of a row, found " + rowBytes);
        }
        RecordJson json = new RecordJson();
        for (int i = 0; i < row.size(); i++) {
            json.put(names.get(i), row.get(i));
        }
        return record(json);
    }
}
