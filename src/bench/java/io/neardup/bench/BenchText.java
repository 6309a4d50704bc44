package io.neardup.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.neardup.bench.BenchReports.Report;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reports of benchmarks, for people and for programs: both by the same names. */
public final class BenchText {
    private static final MathContext DIGITS = new MathContext(5);
    private static final int COLUMN_MIN = 14;
    private static final ObjectMapper JSON = new ObjectMapper()
            .registerModule(new SimpleModule()
                    .addSerializer(Double.class, new Rounded())
                    .addSerializer(double.class, new Rounded()));

    private BenchText() {}

    /** More digits than mean something are noise. */
    private static final class Rounded extends JsonSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeNumber(new BigDecimal(value).round(DIGITS).doubleValue());
        }
    }

    public static String json(Report report) throws JsonProcessingException {
        return JSON.writeValueAsString(report);
    }

    /** A line for each figure, and for each list a table. */
    public static List<String> lines(Report report) {
        List<String> lines = new ArrayList<>();
        add("", JSON.valueToTree(report), lines);
        return lines;
    }

    private static void add(String prefix, JsonNode object, List<String> lines) {
        object.properties().forEach(entry -> {
            JsonNode value = entry.getValue();
            if (value.isObject()) {
                add(prefix + entry.getKey() + ".", value, lines);
            } else if (value.isArray()) {
                lines.add(entry.getKey() + ":");
                addTable(value, lines);
            } else {
                lines.add(String.format(Locale.ROOT, "%-48s %s", prefix + entry.getKey(), shown(value)));
            }
        });
    }

    private static void addTable(JsonNode rows, List<String> lines) {
        for (JsonNode row : rows) {
            StringBuilder heads = new StringBuilder();
            StringBuilder cells = new StringBuilder();
            row.properties().forEach(cell -> {
                String format = "%" + (2 + Math.max(COLUMN_MIN, cell.getKey().length())) + "s";
                heads.append(String.format(Locale.ROOT, format, cell.getKey()));
                cells.append(String.format(Locale.ROOT, format, shown(cell.getValue())));
            });
            if (row.equals(rows.get(0))) {
                lines.add(heads.toString());
            }
            lines.add(cells.toString());
        }
    }

    private static String shown(JsonNode value) {
        return value.isIntegralNumber() ? String.format(Locale.ROOT, "%,d", value.asLong()) : value.asText();
    }
}
