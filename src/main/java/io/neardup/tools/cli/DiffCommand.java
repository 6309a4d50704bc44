package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.figure;
import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.service.migration.ClusterView;
import io.neardup.tools.audit.DiffReport;
import io.neardup.tools.audit.DiffReport.Agreement;
import io.neardup.tools.audit.DiffReport.Pair;
import io.neardup.tools.audit.DiffReport.Shares;
import io.neardup.tools.audit.ExampleTexts;
import io.neardup.tools.audit.VerdictDiff;
import io.neardup.tools.audit.VerdictLog;
import io.neardup.tools.feed.Feed;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "diff",
        description = {"Compares the verdicts of two services on the same input.", "It shows where they differ."},
        footer = {
            "Examples: two services on a cluster, and two runs of local without one, each with",
            "--set neardup.outputs=records,verdicts --out DIR:",
            "  java -jar neardup.jar diff verdicts shadow-verdicts \\",
            "      --bootstrap-server localhost:9092",
            "  java -jar neardup.jar diff a/verdicts.jsonl b/verdicts.jsonl \\",
            "      --documents news.jsonl",
            "",
            "It compares what is on the same positions of the input, changes nothing, and",
            "joins no group. Of topics it reads what is committed at its start; the texts of",
            "examples come from the input, where that still has them."
        })
final class DiffCommand extends ClusterCommand {
    private static final int TEXT_LINES_MAX = 6;
    /** Characters of a source, so that a row of a table fits into a line. */
    private static final int NAME_MAX = 18;

    @Parameters(
            index = "0",
            paramLabel = "A",
            description = "A file of verdicts, a JSON object a line, gzip or zstd or neither; else a topic of them.")
    private String first = "";

    @Parameters(index = "1", paramLabel = "B", description = "The other one.")
    private String second = "";

    @Option(
            names = "--documents",
            paramLabel = "FILE",
            description = "A file of the documents that were judged, for the texts of examples; may be repeated.")
    private List<String> documents = new ArrayList<>();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Skip verdicts on a topic that were made before this: 12h or 7d before now, or%n  "
                    + "a time such as 2026-01-31T08:00:00Z.")
    private @Nullable String since;

    @Override
    public Integer call() throws IOException {
        OptionalLong sinceMillis = since(since);
        quietLog();
        boolean files = isFile(first) && isFile(second);
        NeardupConfig config = NeardupConfig.of(options.settings());
        if (!files && config.bootstrapServers().isEmpty()) {
            throw wrong((isFile(first) ? second : first) + ": expected a file of verdicts, found none; for a topic give"
                    + " --bootstrap-server HOST:PORT or --config");
        }
        Feed.check(documents, Feed.Kind.of(config));
        if (files) {
            check(since == null, "--since", "topics", "files");
            compare(VerdictLog.ofFile(first), VerdictLog.ofFile(second), config, null);
            return ExitCode.OK;
        }
        printCluster(config);
        try (ClusterView cluster = new ClusterView(config);
                VerdictLog a = log(first, cluster, sinceMillis);
                VerdictLog b = log(second, cluster, sinceMillis)) {
            compare(a, b, config, cluster);
        }
        return ExitCode.OK;
    }

    private static VerdictLog log(String name, ClusterView cluster, OptionalLong sinceMillis) {
        return isFile(name) ? VerdictLog.ofFile(name) : VerdictLog.ofTopic(cluster, name, sinceMillis);
    }

    private static boolean isFile(String name) {
        return new File(name).isFile();
    }

    private void compare(VerdictLog a, VerdictLog b, NeardupConfig config, @Nullable ClusterView cluster)
            throws IOException {
        DiffReport report;
        ExampleTexts texts;
        try (ProgressLines progress = progress()) {
            progress.phase("reading verdicts");
            report = new VerdictDiff(a, b, progress::update).run();
            texts = new ExampleTexts(config, report.examples());
            if (!isJson() && !report.examples().isEmpty()) {
                progress.phase("looking for the texts of examples");
                if (!documents.isEmpty()) {
                    texts.readFiles(documents, System.in);
                } else if (cluster != null) {
                    texts.readInput(cluster);
                }
            }
        }
        print(() -> text(report, texts), () -> json(report));
    }

    private static TextTable text(DiffReport report, ExampleTexts texts) {
        TextTable text =
                new TextTable().fields(Json.of(report).retain("a", "b")).blank();
        text.text(format("%,d records were judged by both", report.all().pairs()));
        for (Agreement agreement : Agreement.values()) {
            long count = report.all().of(agreement);
            text.row("", count, percent(count, report.all()), agreement.text());
        }
        addHead("similarity", text);
        report.similarity().forEach(one -> addRow(range(one.from()), one.shares(), text));
        if (!report.sources().isEmpty()) {
            addHead("source", text);
            report.sources().forEach(one -> addRow(one.source(), one.shares(), text));
        }
        texts.failure().ifPresent(failure -> {
            text.blank();
            ("Texts are missing below: " + Failures.message(failure)).lines().forEach(text::text);
        });
        report.examples().forEach(example -> addExample(example, texts, text));
        return text;
    }

    private static TextTable.Figure percent(long count, Shares shares) {
        return figure("%.2f %%", 100.0 * count / shares.pairs());
    }

    private static void addHead(String name, TextTable text) {
        text.blank().row(name, "records", "differ", "originals", "only A", "only B");
    }

    private static void addRow(String name, Shares shares, TextTable text) {
        text.row(
                name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX),
                shares.pairs(),
                percent(shares.differing(), shares),
                shares.of(Agreement.OTHER_ORIGINAL),
                shares.of(Agreement.DUPLICATE_IN_A),
                shares.of(Agreement.DUPLICATE_IN_B));
    }

    private static String range(double from) {
        return from >= 1 ? "1.00" : format("%.2f to %.2f", from, from + 0.05);
    }

    private static void addExample(Pair example, ExampleTexts texts, TextTable text) {
        text.blank();
        text.text(example.a().id() + ", " + example.a().position() + ": "
                + example.agreement().text());
        text.text("  A  " + said(example.a())).text("  B  " + said(example.b()));
        Set<String> originals = new HashSet<>();
        for (Verdict verdict : List.of(example.a(), example.b())) {
            Repeated repeated = verdict.repeated();
            if (repeated != null && originals.add(repeated.original() + " at " + repeated.place())) {
                addTexts(repeated, verdict, texts, text);
            }
        }
    }

    private static String said(Verdict verdict) {
        StringBuilder said = new StringBuilder(verdict.outcome().code());
        Repeated repeated = verdict.repeated();
        if (repeated != null) {
            said.append(format(
                    " of %s, similarity %.4f",
                    repeated.original(), repeated.similarity().value()));
        }
        if (verdict.reason() != null) {
            said.append(": ").append(verdict.reason());
        }
        if (!verdict.bounds().isEmpty()) {
            said.append(", bounded by ").append(String.join(", ", verdict.bounds()));
        }
        return said.toString();
    }

    private static void addTexts(Repeated repeated, Verdict verdict, ExampleTexts texts, TextTable text) {
        String before = texts.of(repeated);
        String after = texts.of(verdict);
        if (before != null && after != null) {
            text.asIs(SideBySide.pair(repeated.original(), verdict.id(), before, after, TEXT_LINES_MAX));
        }
    }

    private static ObjectNode json(DiffReport report) {
        ObjectNode all = Json.of(report);
        ArrayNode examples = all.putArray("examples");
        report.examples().forEach(one -> examples.addObject()
                .put("agreement", one.agreement().code())
                .putPOJO("a", verdict(one.a()))
                .putPOJO("b", verdict(one.b())));
        return all;
    }

    private static JsonNode verdict(Verdict verdict) {
        try {
            return Json.read(VerdictCodec.encode(verdict));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
