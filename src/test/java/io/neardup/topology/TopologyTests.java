package io.neardup.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.streams.topology.OutputLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Starts topologies for a test, each with a state of its own, and closes them behind it. */
abstract class TopologyTests {
    @TempDir
    Path folder;

    private final List<TopologyHarness> started = new ArrayList<>();

    TopologyHarness start(String... settings) {
        return start(TopologyHarness.ANYTHING, TopologyHarness.ANYTHING, settings);
    }

    TopologyHarness start(OutputLimits documents, OutputLimits deadLetter, String... settings) {
        try {
            Path state = Files.createTempDirectory(folder, "state");
            started.add(new TopologyHarness(state, documents, deadLetter, settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return started.get(started.size() - 1);
    }

    static String describe(List<String> settings) {
        NeardupConfig config = NeardupConfig.of(new Settings().pairs(settings));
        return TopologyHarness.topology(config, TopologyHarness.ANYTHING, TopologyHarness.ANYTHING)
                .describe()
                .toString();
    }

    static String[] with(String[] settings, String... more) {
        return Stream.concat(Stream.of(settings), Stream.of(more)).toArray(String[]::new);
    }

    @AfterEach
    void closeAll() {
        started.forEach(TopologyHarness::close);
    }

    static TestRecord<byte[], byte[]> only(List<TestRecord<byte[], byte[]>> records) {
        assertThat(records).hasSize(1);
        return records.get(0);
    }

    /** A header's text; it must be there. */
    static String header(TestRecord<byte[], byte[]> of, String name) {
        Header header = Objects.requireNonNull(of.headers().lastHeader(name), name);
        return new String(header.value(), UTF_8);
    }

    static double number(TestRecord<byte[], byte[]> of, String name) {
        return Double.parseDouble(header(of, name));
    }

    static List<String> keys(List<TestRecord<byte[], byte[]>> records) {
        return records.stream().map(read -> new String(read.key(), UTF_8)).toList();
    }
}
