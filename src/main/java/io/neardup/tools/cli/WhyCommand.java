package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.record.Pointers;
import io.neardup.record.Printable;
import io.neardup.record.RecordHeader;
import io.neardup.record.Verdict.Outcome;
import io.neardup.service.http.EncodedHeader;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.DocumentSearch;
import io.neardup.tools.audit.DocumentSearch.Found;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What became of one document, and why. */
@Command(
        name = "why",
        description = {
            "Tells what became of a document, and why.",
            "It reads the outputs of a service, running or not, back from now until the document is there."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Example, with the settings that the service runs with:",
            "  java -jar neardup.jar why reef-map/2 --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092 --since 7d",
            "",
            "Of a duplicate it shows the original, how similar they are, and both texts where",
            "the topics still hold them. For one that is unique it asks the running service,",
            "as check does, which documents are nearest to it: at --url, else where",
            "neardup.http.listen of the settings says, else at " + ServiceOptions.DEFAULT_URL + ".",
            "Where none answers it says so, and tells the rest.",
            "",
            "A document without an id has the key of its record for one, or its place, such",
            "as documents-0-17; on unique no place is to be seen.",
            "",
            "Exit codes: 0 found, 1 not found or failed, 2 wrong usage or settings."
        })
final class WhyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "The id of the document.")
    private String id = "";

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Go back no further than this: a time such as 12h or 7d before now, or 2026-01-31T08:00:00Z;"
                    + " by the timestamps of the documents. By default all that is there.")
    private @Nullable String since;

    @Option(names = "--json", description = "Print what is found as a JSON object, without texts.")
    private boolean json;

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException, InterruptedException {
        service.check(talk);
        QuietLog.prepare();
        NeardupConfig config = NeardupConfig.forCluster(options.settings())
                .requireRecords("a document is looked for on the topics of records; the verdict on one is on"
                        + " neardup.verdicts.topic, under its place, such as documents-0-17");
        talk.askingCluster(config);
        OptionalLong sinceMillis = SinceTime.millis(since, talk);
        Optional<WhyReport> report;
        try (ProgressLines progress = talk.progress();
                ClusterView cluster = new ClusterView(config)) {
            progress.phase("reading back");
            report = find(new DocumentSearch(config, cluster, sinceMillis, progress::update), config);
        }
        if (report.isEmpty()) {
            throw new IOException(notFound(config));
        }
        talk.print(report.get(), json);
        return ExitCode.OK;
    }

    private Optional<WhyReport> find(DocumentSearch search, NeardupConfig config)
            throws IOException, InterruptedException {
        Optional<Found> found = search.find(id);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> named = found.filter(one -> one.outcome() == Outcome.DUPLICATE)
                .flatMap(one -> one.record().header(OutputRecords.DUPLICATE_OF));
        Optional<Found> original = named.isPresent() ? search.findOriginal(named.get()) : Optional.empty();
        return Optional.of(new WhyReport(id, found.get(), original, nearest(found.get(), config), config));
    }

    /** Without a service, or with another one, the rest is told all the same. */
    private Optional<NearestOriginals> nearest(Found found, NeardupConfig config) throws InterruptedException {
        byte[] value = found.record().value();
        if (found.outcome() != Outcome.UNIQUE || value == null) {
            return Optional.empty();
        }
        try {
            ServiceClient client = service.clientOf(config);
            return Optional.of(NearestOriginals.ask(client, config.applicationId(), id, value, headers(found, config)));
        } catch (IOException e) {
            return Optional.of(NearestOriginals.notAsked(String.valueOf(e.getMessage())));
        }
    }

    /** Those that id and scope are in. */
    private static List<String> headers(Found found, NeardupConfig config) {
        Pointers pointers = config.pointers();
        List<String> headers = new ArrayList<>();
        for (RecordHeader header : found.record().headers()) {
            byte[] value = header.value();
            if (value != null
                    && (header.name().equals(pointers.idHeader())
                            || header.name().equals(pointers.scopeHeader()))) {
                headers.add(EncodedHeader.encode(header.name(), value));
            }
        }
        return headers;
    }

    private String notFound(NeardupConfig config) {
        return Printable.of(id) + ": expected a document of this id, found none on "
                + String.join(", ", config.recordTopics()) + ", nor on " + String.join(", ", config.inputTopics())
                + (since == null ? ", read back to the first record that is there" : ", read back to --since " + since)
                + "; check the id and its letters, and that the settings are those of the service";
    }
}
