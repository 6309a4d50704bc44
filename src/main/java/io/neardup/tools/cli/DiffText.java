package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.record.Printable;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.tools.audit.Agreement;
import io.neardup.tools.audit.DiffReport;
import io.neardup.tools.audit.DiffReport.Shares;
import io.neardup.tools.audit.DiffReport.Side;
import io.neardup.tools.audit.DiffReport.Unmatched;
import io.neardup.tools.audit.ExampleTexts;
import io.neardup.tools.audit.JudgedPair;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.stream.Collectors;

/** What {@code diff} has found. */
final class DiffText implements CommandReport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TEXT_LINES_MAX = 6;
    private static final int NAME_WIDTH = 24;
    private static final String HEAD = "   records   parted  dupl. in A  dupl. in B  other original  only A  only B";

    private final DiffReport report;
    private final ExampleTexts texts;

    DiffText(DiffReport report, ExampleTexts texts) {
        this.report = report;
        this.texts = texts;
    }

    @Override
    public void print(PrintWriter output) {
        printSide("A", report.a(), output);
        printSide("B", report.b(), output);
        output.println();
        output.printf(
                Locale.ROOT, "%,d records were judged by both%n", report.all().pairs());
        for (Agreement agreement : Agreement.values()) {
            long count = report.all().of(agreement);
            output.printf(Locale.ROOT, "  %,12d  %6.2f %%  %s%n", count, percent(count), agreement.text());
        }
        printTable("similarity", output);
        report.similarity().forEach(one -> printRow(range(one.from()), one.shares(), output));
        if (!report.sources().isEmpty()) {
            printTable("source", output);
            report.sources().forEach(one -> printRow(Printable.of(one.source()), one.shares(), output));
        }
        texts.failure()
                .ifPresent(failure ->
                        output.printf("%nTexts are missing below: %s%n", Printable.lines(Failures.message(failure))));
        report.examples().forEach(example -> print(example, output));
    }

    private double percent(long count) {
        return 100.0 * count / report.all().pairs();
    }

    private static void printSide(String letter, Side side, PrintWriter output) {
        String settings = side.settings().entrySet().stream()
                .map(entry -> entry.getKey() + (side.settings().size() == 1 ? "" : " (" + entry.getValue() + ")"))
                .collect(Collectors.joining(", "));
        output.println(letter + "  " + Printable.of(side.name()) + ", settings " + Printable.of(settings));
        Unmatched unmatched = side.unmatched();
        if (unmatched.sum() > 0) {
            output.printf(
                    Locale.ROOT,
                    "   unmatched, as only %s has them: %,d before what both have, %,d between, %,d after%n",
                    letter,
                    unmatched.before(),
                    unmatched.between(),
                    unmatched.after());
        }
    }

    private static void printTable(String name, PrintWriter output) {
        output.println();
        output.printf(Locale.ROOT, "%-" + NAME_WIDTH + "s %s%n", name, HEAD);
    }

    private static void printRow(String name, Shares shares, PrintWriter output) {
        String cut = name.length() <= NAME_WIDTH ? name : name.substring(0, NAME_WIDTH);
        output.printf(
                Locale.ROOT,
                "%-" + NAME_WIDTH + "s %,10d  %6.2f%%     %6.2f%%     %6.2f%%  %,14d  %,6d  %,6d%n",
                cut,
                shares.pairs(),
                100.0 * shares.parted() / shares.pairs(),
                100.0 * shares.duplicatesInA() / shares.pairs(),
                100.0 * shares.duplicatesInB() / shares.pairs(),
                shares.of(Agreement.OTHER_ORIGINAL),
                shares.of(Agreement.DUPLICATE_IN_A),
                shares.of(Agreement.DUPLICATE_IN_B));
    }

    private static String range(double from) {
        return from >= 1 ? "1.00" : String.format(Locale.ROOT, "%.2f to %.2f", from, from + 0.05);
    }

    // ---- examples

    private void print(JudgedPair example, PrintWriter output) {
        output.println();
        output.println(Printable.of(example.a().id()) + ", "
                + Printable.of(example.a().position().toString()) + ": "
                + example.agreement().text());
        printVerdict("A", example.a(), output);
        printVerdict("B", example.b(), output);
        Repeated inA = example.a().repeated();
        Repeated inB = example.b().repeated();
        if (inA != null) {
            printPair(inA.original(), example.a().id(), output);
        }
        if (inB != null && (inA == null || !inA.original().equals(inB.original()))) {
            printPair(inB.original(), example.b().id(), output);
        }
    }

    private static void printVerdict(String letter, Verdict verdict, PrintWriter output) {
        Repeated repeated = verdict.repeated();
        String more = repeated == null
                ? (verdict.reason() == null ? "" : ": " + verdict.reason())
                : String.format(
                        Locale.ROOT,
                        " of %s, similarity %.4f",
                        repeated.original(),
                        repeated.similarity().value());
        String bounds = verdict.bounds().isEmpty() ? "" : ", bounded by " + String.join(", ", verdict.bounds());
        output.println("  " + letter + "  " + Printable.of(verdict.outcome().code() + more + bounds));
    }

    private void printPair(String original, String id, PrintWriter output) {
        String before = texts.of(original);
        String after = texts.of(id);
        if (before != null && after != null) {
            SideBySide.row(original, id).forEach(line -> output.println("  " + line));
            output.println("  " + SideBySide.rule());
            SideBySide.passages(before, after, TEXT_LINES_MAX).forEach(line -> output.println("  " + line));
        }
    }

    // ---- for programs

    private record Example(Agreement agreement, JsonNode a, JsonNode b) {}

    @Override
    public ObjectNode json() {
        ObjectNode all = JSON.valueToTree(report);
        all.set(
                "examples",
                JSON.valueToTree(report.examples().stream()
                        .map(one -> new Example(one.agreement(), verdict(one.a()), verdict(one.b())))
                        .toList()));
        return all;
    }

    private static JsonNode verdict(Verdict verdict) {
        try {
            return JSON.readTree(VerdictCodec.encode(verdict));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
