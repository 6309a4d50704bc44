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
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * CSV and TSV (RFC 4180) with a line of column names; these become the fields of a record, with strings as values. A
 * line {@code sep=;} may be before it. Empty cells are left out. A row with more cells than names is skipped; in CSV a
 * quote that is not closed, or that has something after it, ends the file, as all that follows would be taken for what
 * it is not. In TSV a row is a line.
 *
 * <p>Jackson is given a char for each byte, so that its places are bytes, and each cell is decoded for itself.
 */
final class TableReader extends FormatReader {
    static final int COLUMNS_MAX = 10_000;
    static final int ROW_BYTES_MAX = 16 << 20;

    /** As Excel has it. */
    private static final Pattern SEPARATOR = Pattern.compile("\"?sep=([,;\t])\"?[\r\n]");

    private static final CsvFactory CSV = CsvFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(ROW_BYTES_MAX)
                    .build())
            .build();

    private final InputStream in;
    private final CsvSchema schema;
    /** Whether a line before that of names says what separates. */
    private final boolean isSaid;

    /** Of all rows; null of TSV. */
    private @Nullable CsvParser csv;
    /** Of TSV. */
    private final byte[] chunk = new byte[1 << 13];

    private int from;
    private int to;
    private long chunkOffset;

    private List<String> names = List.of();
    private long cells;
    private long rowBytes;

    /** @param head the first bytes, of which the line of names shows what separates */
    TableReader(String source, InputStream in, byte[] head, Skipped skipped, int recordBytesMax) {
        super(source, skipped, recordBytesMax);
        this.in = in;
        String start = new String(head, ISO_8859_1)
                .substring(Charsets.markLength(head))
                .stripLeading();
        Matcher said = SEPARATOR.matcher(start);
        isSaid = said.lookingAt();
        String first = start.lines().findFirst().orElse("");
        schema = CsvSchema.emptySchema()
                .withColumnSeparator(isSaid ? said.group(1).charAt(0) : separator(first));
    }

    /** What follows the line that says what separates, if there is one. */
    static String withoutSeparator(String text) {
        return SEPARATOR.matcher(text).lookingAt() ? text.substring(text.indexOf('\n') + 1) : text;
    }

    /** The one of tab, comma and semicolon that a line has most outside of quotes. */
    static char separator(String quoted) {
        String line = quoted.replaceAll("\"[^\"]*\"", "");
        return Stream.of(',', '\t', ';')
                .max(Comparator.comparingLong(
                        separator -> line.chars().filter(c -> c == separator).count()))
                .orElseThrow();
    }

    @Override
    @Nullable
    FeedRecord read() throws IOException, SkippedException {
        if (number == 1) {
            List<String> first = isSaid && row() == null ? null : row();
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
                row = schema.getColumnSeparator() == '\t' ? rowOfTsv() : rowOfCsv();
            } while (row != null && cells <= 1 && (row.isEmpty() || row.get(0).isBlank()) && rowBytes <= ROW_BYTES_MAX);
            return row;
        } catch (StreamConstraintsException e) {
            throw new DamagedException(
                    Skip.TOO_LARGE, offset, "expected at most " + ROW_BYTES_MAX + " bytes of a cell, found more");
        } catch (JsonProcessingException e) {
            throw new DamagedException(Skip.BROKEN, offset, "a quote is not closed, or text follows a closing quote");
        }
    }

    private @Nullable List<String> rowOfCsv() throws IOException {
        CsvParser all = csv;
        if (all == null) {
            all = parser(new InputStreamReader(in, ISO_8859_1), schema);
            csv = all;
        } else {
            // After the line end of the row before.
            offset = all.currentLocation().getCharOffset() + 1;
        }
        return cells(all);
    }

    /** In TSV a quote is often nothing but a quote: it is that of a cell only where all such end in their line. */
    private @Nullable List<String> rowOfTsv() throws IOException {
        String line = line();
        if (line == null || rowBytes > ROW_BYTES_MAX) {
            cells = 0;
            return line == null ? null : List.of();
        }
        List<String> row;
        try {
            row = cells(parser(new StringReader(line), schema));
        } catch (JsonProcessingException e) {
            row = cells(parser(new StringReader(line), schema.withoutQuoteChar()));
        }
        return row == null ? List.of() : row;
    }

    private @Nullable String line() throws IOException {
        offset = chunkOffset + from;
        rowBytes = 0;
        StringBuilder line = new StringBuilder();
        while (from < to || fill()) {
            byte b = chunk[from];
            from++;
            if (b == '\n' || b == '\r') {
                return line.toString();
            }
            rowBytes++;
            if (rowBytes <= ROW_BYTES_MAX) {
                line.append((char) (b & 0xff));
            }
        }
        return rowBytes == 0 ? null : line.toString();
    }

    private boolean fill() throws IOException {
        chunkOffset += to;
        from = 0;
        to = 0;
        to = Math.max(0, in.read(chunk, 0, chunk.length));
        return to > 0;
    }

    private static CsvParser parser(Reader in, CsvSchema schema) throws IOException {
        CsvParser parser = CSV.createParser(in);
        parser.setSchema(schema);
        return parser;
    }

    private @Nullable List<String> cells(CsvParser rows) throws IOException {
        cells = 0;
        rowBytes = 0;
        if (rows.nextToken() == null) {
            return null;
        }
        List<String> row = new ArrayList<>();
        for (JsonToken cell = rows.nextToken(); cell != JsonToken.END_ARRAY; cell = rows.nextToken()) {
            cells++;
            rowBytes += rows.getTextLength();
            if (cells <= COLUMNS_MAX && rowBytes <= ROW_BYTES_MAX) {
                row.add(decoded(rows.getText()));
            }
        }
        return row;
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
    private List<String> names(List<String> found) throws DamagedException {
        if (cells > COLUMNS_MAX || rowBytes > ROW_BYTES_MAX) {
            throw new DamagedException(
                    Skip.TOO_LARGE,
                    offset,
                    "expected a first line with at most " + COLUMNS_MAX + " names of columns and " + ROW_BYTES_MAX
                            + " bytes, found " + cells + " and " + rowBytes);
        }
        Set<String> taken = new HashSet<>();
        Map<String, Integer> numbers = new HashMap<>();
        List<String> unique = new ArrayList<>();
        for (String name : found) {
            String stripped = name.strip();
            String whole = stripped.isEmpty() ? "column" + (unique.size() + 1) : stripped;
            String free = whole;
            while (!taken.add(free)) {
                free = whole + "_" + (numbers.merge(whole, 1, Integer::sum) + 1);
            }
            unique.add(free);
        }
        return unique;
    }

    private FeedRecord record(List<String> row) throws IOException, SkippedException {
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
