package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import io.neardup.config.NeardupConfig;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Rejection;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.FeedRecord;
import io.neardup.tools.feed.Publication;
import io.neardup.tools.feed.UnusableFileException;
import io.neardup.tools.local.FieldNames;
import io.neardup.tools.local.LineFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends files to a cluster. */
@Command(
        name = "feed",
        description = "Sends the records of files to a topic of a cluster.",
        footer = {
            "",
            "Examples:",
            "  java -jar neardup.jar feed crawl.warc.gz --topic documents \\",
            "      --bootstrap-server localhost:9092",
            "  java -jar neardup.jar feed news.xml pages/ table.csv --rate 500 \\",
            "      --config config/neardup.properties",
            "",
            "After a stop, also a hard one, the same command goes on where it was: with the",
            "records the cluster commits how far each file was sent, in one transaction. So",
            "nothing that was committed is sent twice, and of a folder that has grown what",
            "is new is sent. Readers must be read_committed, as the service is. The standard",
            "input (-) is sent from its start.",
            "",
            "Records are sent as they are. Which field is the text, the settings of the",
            "service say: give the same --config, --preset or --set here. Where none of the",
            "first 100 is a document by them, feed sends nothing, unless with --anyway."
        })
final class FeedCommand extends ReportingCommand {
    private static final double RATE_MAX = 10_000_000;
    /** Records of the files that are looked at before the first is sent. */
    private static final int FIRST_MAX = 100;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = FILES)
    private List<String> files = new ArrayList<>();

    /** What a command reads that takes feeds. */
    static final String FILES = "Files and folders: JSON lines or arrays, CSV, TSV, WARC, WET, ARC, RSS, Atom, HTML or"
            + " text, plain, gzip or zstd; - is the standard input.";

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "The topic, which must exist (default: the first of neardup.input.topics).")
    private @Nullable String topic;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Send at most N records a second (default: as many as the cluster takes).")
    private @Nullable Double rate;

    @Option(names = "--from-start", description = "Send all of these files, also what an earlier run has sent.")
    private boolean fromStart;

    @Option(names = "--anyway", description = "Send also where none of the first 100 records is a document.")
    private boolean anyway;

    @Option(
            names = "--skipped",
            paramLabel = "FILE",
            description = "Write what of the files is no record there, as skipped.jsonl of local.")
    private @Nullable Path skipped;

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(rate == null || (rate > 0 && rate <= RATE_MAX), "--rate", "above 0, at most " + RATE_MAX, rate + "");
        quietLog();
        NeardupConfig config = NeardupConfig.forCluster(options.settings());
        Feed.check(files, Feed.Kind.of(config));
        if (skipped != null) {
            OutputFile.checked("--skipped", skipped, files.toArray(String[]::new));
        }
        if (!anyway) {
            requireDocument(config);
        }
        ProgressLines progress = progress();
        Publication.Options what = new Publication.Options(
                StreamsSettings.clients(config),
                config.applicationId(),
                topic(config),
                files,
                System.in,
                rate == null ? 0 : rate,
                fromStart);
        Publication publication =
                new Publication(what, records -> progress.update(format("%,d records committed", records)));
        StopHook stop = new StopHook(publication::stop, StopHook.SUMMARY_PATIENCE);
        try (stop) {
            Publication.Summary summary;
            try (progress;
                    LineFile written = skipped == null ? null : new LineFile(skipped)) {
                if (written != null) {
                    publication.reportSkipped(written::skipped);
                }
                progress.phase("sending to " + topic(config));
                summary = publication.run(Feed.Kind.of(config), config.documentBytesMax());
            }
            print(new Sent(summary, files));
            return ExitCode.OK;
        }
    }

    private String topic(NeardupConfig config) {
        return topic != null ? topic : config.inputTopics().get(0);
    }

    private record Sent(Publication.Summary summary, List<String> files) implements Report {
        @Override
        public TextTable text() {
            TextTable text = new TextTable();
            text.row("records", summary.records());
            if (summary.before() > 0) {
                text.row("sent before", summary.before());
            }
            text.row("sent", summary.sent());
            if (summary.tooLarge() > 0) {
                String than = "longer than neardup.document.bytes.max or the topic's max.message.bytes";
                text.row("too large", summary.tooLarge(), than);
            }
            SkippedText.addTo(text, summary.skipped());
            text.row("seconds", TextTable.figure("%,.2f", summary.seconds()));
            if (summary.stopped()) {
                text.text(
                        files.contains("-")
                                ? "stopped: the standard input is sent from its start again"
                                : "stopped: the same command goes on from here");
            }
            return text;
        }

        @Override
        public Object json() {
            return summary;
        }
    }

    /**
     * Of files and folders, not of pipes.
     *
     * @throws UnusableFileException if a service of these settings would take none of the first records
     */
    private void requireDocument(NeardupConfig config) throws IOException {
        List<String> known = files.stream()
                .filter(file -> Files.isRegularFile(Path.of(file)) || Files.isDirectory(Path.of(file)))
                .toList();
        List<String> lines = new ArrayList<>();
        DocumentReader reader = config.documentReaders().get();
        int looked = 0;
        try (Feed feed =
                new Feed(known, InputStream.nullInputStream(), Feed.Kind.of(config), config.documentBytesMax())) {
            for (FeedRecord record = feed.next(); record != null && looked < FIRST_MAX; record = feed.next()) {
                InputRecord input = new InputRecord("", 0, 0, 0, record.key(), record.bytes(), List.of());
                if (record.isOversized() || !(reader.read(input) instanceof Rejection rejection)) {
                    return;
                }
                if (looked == 0) {
                    lines.add("The first one is " + record.position() + " ("
                            + rejection.reason().code() + ": " + rejection.detail() + ")");
                    List<String> fields = FieldNames.of(record.bytes());
                    if (!fields.isEmpty()) {
                        lines.add("Fields of it that hold text:");
                        lines.addAll(SkippedText.fields(fields));
                    }
                }
                looked++;
            }
        }
        if (looked > 0) {
            lines.add(
                    0,
                    "none of the first " + looked + " records is a document by these settings, so that none is sent");
            lines.add("--anyway sends them as they are.");
            throw new UnusableFileException(String.join(System.lineSeparator(), lines));
        }
    }
}
