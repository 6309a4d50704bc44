package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.figure;
import static io.neardup.tools.cli.TextTable.format;

import io.neardup.config.NeardupConfig;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.Rejection;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.FeedRecord;
import io.neardup.tools.feed.Publication;
import io.neardup.tools.feed.UnusableFileException;
import io.neardup.tools.local.FieldNames;
import io.neardup.tools.local.LineFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "feed",
        description = "Sends the records of files to a topic of a cluster.",
        footer = {
            "Examples:",
            "  java -jar neardup.jar feed crawl.warc.gz --topic documents \\",
            "      --bootstrap-server localhost:9092",
            "  java -jar neardup.jar feed news.xml pages/ table.csv --rate 500 \\",
            "      --config config/neardup.properties",
            "",
            "After a stop or a kill, the same command continues where it was: each",
            "transaction commits the records together with how far each file was sent.",
            "Nothing committed is sent twice; of a folder that has grown only the new files",
            "are sent. Readers must be read_committed, as the service is. The standard input",
            "(-) is sent from its start.",
            "",
            "Records are sent as they are. Which field is the text, the settings of the",
            "service say: give the same --config, --preset or --set here."
        })
final class FeedCommand extends ClusterCommand {
    private static final long RATE_MAX = 10_000_000;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = FILES)
    private List<String> files = new ArrayList<>();

    /** What a command reads that takes feeds. */
    static final String FILES =
            "Files and folders: JSON lines, arrays or objects, CSV, TSV, WARC, WET, ARC, RSS, Atom, HTML or"
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

    @Option(names = "--anyway", description = "Send also where none of the first 100 records has a text.")
    private boolean anyway;

    @Option(
            names = "--skipped",
            paramLabel = "FILE",
            description = "Write the parts of the files that are no records there, in the format of local's"
                    + " skipped.jsonl. Appended to an earlier list, unless with --from-start or -; a resumed file is"
                    + " listed again.")
    private @Nullable Path skipped;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(rate == null || (rate > 0 && rate <= RATE_MAX), "--rate", "above 0, at most " + RATE_MAX, rate + "");
        quietLog();
        NeardupConfig config = NeardupConfig.forCluster(options.settings());
        Feed.check(files, Feed.Kind.of(config));
        if (skipped != null) {
            OutputFile.checked("--skipped", skipped, files.toArray(String[]::new));
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
        if (!anyway) {
            TextLook texts = new TextLook(config);
            publication.requireAny(texts::hasText, texts::none);
        }
        StopHook stop = new StopHook(publication::stop, StopHook.SUMMARY_PATIENCE);
        try (stop) {
            Publication.Summary summary;
            try (progress;
                    LineFile written = skipped == null
                            ? null
                            : new LineFile(skipped, !fromStart && !files.contains(Feed.STANDARD_INPUT))) {
                if (written != null) {
                    publication.reportSkipped(written::skipped);
                }
                progress.phase("sending to " + topic(config));
                summary = publication.run(Feed.Kind.of(config), config.documentBytesMax());
            }
            print(() -> text(summary), () -> summary);
            return ExitCode.OK;
        }
    }

    private String topic(NeardupConfig config) {
        return topic != null ? topic : config.inputTopics().get(0);
    }

    private TextTable text(Publication.Summary summary) {
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
        text.row("seconds", figure("%,.2f", summary.seconds()));
        if (summary.stopped()) {
            text.text(
                    files.contains("-")
                            ? "stopped: the standard input is sent from its start again"
                            : "stopped: the same command goes on from here");
        }
        return text;
    }

    /** Whether records have a text where the settings say; else a service of these settings would take none of them. */
    private static final class TextLook {
        private static final Set<Reason> WITHOUT_TEXT = EnumSet.of(
                Reason.NOT_UTF8,
                Reason.NOT_JSON,
                Reason.NOT_OBJECT,
                Reason.NOT_AVRO,
                Reason.NO_TEXT,
                Reason.TEXT_NOT_STRING,
                Reason.BLANK_TEXT);

        private final DocumentReader reader;
        private int looked;
        private @Nullable String first;
        private List<String> fields = List.of();

        TextLook(NeardupConfig config) {
            this.reader = config.documentReaders().get();
        }

        boolean hasText(FeedRecord record) {
            looked++;
            InputRecord input = new InputRecord("", 0, 0, 0, record.key(), record.bytes(), List.of());
            if (!(reader.read(input) instanceof Rejection rejection) || !WITHOUT_TEXT.contains(rejection.reason())) {
                return true;
            }
            if (first == null) {
                first = record.position() + " (" + rejection.reason().code() + ": " + rejection.detail() + ")";
                fields = FieldNames.of(record.bytes());
            }
            return false;
        }

        /** That none of those that were looked at has one. */
        UnusableFileException none() {
            List<String> lines = new ArrayList<>();
            lines.add("none of the first " + looked + " records has a text where the settings say, so that a service of"
                    + " these settings takes none of them, and none is sent. The first one is " + first);
            if (!fields.isEmpty()) {
                lines.add("Fields of it that hold text:");
                lines.addAll(SkippedText.fields(fields));
                lines.add("Give the same settings, or the same --preset, to the service and to feed.");
            }
            lines.add("--anyway sends them as they are.");
            return new UnusableFileException(String.join(System.lineSeparator(), lines));
        }
    }
}
