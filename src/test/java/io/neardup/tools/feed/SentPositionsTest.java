package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.service.cluster.StartupException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SentPositionsTest {
    @TempDir
    private Path folder;

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private Path file = Path.of("");
    private ConsumerRecord<byte[], byte[]> kept = new ConsumerRecord<>("positions", 0, 0, new byte[0], new byte[0]);

    @BeforeEach
    void sendOneRecord() throws IOException {
        file = Files.writeString(folder.resolve("a.jsonl"), "a1\na2\n");
        SentPositions positions = positions(false);
        positions.wants(file.toString());
        positions.startFile(file.toString());
        assertThat(positions.countNext(positions.currentFile())).isTrue();
        producer.initTransactions();
        producer.beginTransaction();
        positions.writePositions(producer);
        producer.commitTransaction();
        ProducerRecord<byte[], byte[]> noted = producer.history().get(0);
        kept = new ConsumerRecord<>(noted.topic(), 0, 0, noted.key(), noted.value());
        producer.clear();
    }

    @Test
    void shouldForgetWhatWasSentWithTheFirstRecordThatIsSentAgain() throws Exception {
        SentPositions positions = positions(true);
        positions.read(kept);
        assertThat(positions.wants(file.toString())).isTrue();
        positions.startFile(file.toString());
        assertThat(positions.before()).isZero();

        producer.beginTransaction();
        positions.writePositions(producer);
        producer.commitTransaction();
        assertThat(producer.history()).isEmpty();

        producer.beginTransaction();
        assertThat(positions.countNext(positions.currentFile())).isTrue();
        positions.writePositions(producer);
        producer.commitTransaction();
        assertThat(producer.history()).hasSize(2);
        assertThat(producer.history().get(0).value()).isNull();
        assertThat(producer.history().get(1).value()).isEqualTo(kept.value());
    }

    /** As where another has sent some of it meanwhile. */
    @Test
    void shouldTakeThePositionThatIsReadLast() throws Exception {
        SentPositions positions = positions(false);
        assertThat(positions.wants(file.toString())).isTrue();
        positions.startFile(file.toString());
        assertThat(positions.before()).isZero();

        positions.read(kept);

        assertThat(positions.before()).isEqualTo(1);
        assertThat(positions.countNext(positions.currentFile())).isFalse();
        assertThat(positions.countNext(positions.currentFile())).isTrue();
    }

    @Test
    void shouldKnowThatAllOfAFileWasSentAlsoWhereTheLastStopWasBehindItsLastRecord() throws Exception {
        SentPositions positions = positions(false);
        positions.read(kept);
        assertThat(positions.wants(file.toString())).isTrue();
        positions.startFile(file.toString());
        assertThat(positions.countNext(positions.currentFile())).isFalse();

        producer.beginTransaction();
        positions.endOfFile();
        positions.writePositions(producer);
        producer.commitTransaction();
        assertThat(producer.history()).singleElement().satisfies(noted -> assertThat(noted.value())
                .asString(UTF_8)
                .isEqualTo(new String(kept.value(), UTF_8).replace("part", "whole")));
    }

    @Test
    void shouldFindAnotherBeginningWhereAFileIsSentOn() throws Exception {
        FileTime time = Files.getLastModifiedTime(file);
        Files.setLastModifiedTime(Files.writeString(file, "b1\nb2\n"), time);
        SentPositions positions = positions(false);
        positions.read(kept);
        assertThat(positions.wants(file.toString())).isTrue();
        positions.requireUnchanged();
        positions.startFile(file.toString());

        assertThatThrownBy(() -> positions.countNext(positions.currentFile()))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("a.jsonl has changed since 1 of its records were sent");
    }

    private SentPositions positions(boolean fromStart) {
        return new SentPositions(new Publication.Options(
                Map.of(),
                "neardup",
                "documents",
                List.of(file.toString()),
                InputStream.nullInputStream(),
                0,
                fromStart));
    }
}
