package io.neardup.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.engine.protocol.Check;
import io.neardup.engine.protocol.DocumentCoordinator.MessageOutbox;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.ToIndex;
import io.neardup.engine.protocol.Partitions;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.streams.store.Batch;
import io.neardup.streams.store.MessageCodec;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks of documents that are in the index, of edited copies, and of others. */
class ChecksWithoutTraceTest extends TopologyTests {
    private static final int DOCUMENTS = 300;
    private static final int QUESTIONS = 3_000;
    private static final int LATER = 10;
    private static final int AT_ONCE = 50;
    private static final long DAY_MILLIS = 86_400_000;

    private final NeardupConfig config = NeardupConfig.of(new Settings().pairs(List.of("neardup.bands.partitions=1")));
    private final Signing signing = Signing.of(config, TopologyHarness.HASH_SEED);
    private final DocumentReader reader = config.documentReaders().get();
    private final Partitions partitions =
            new Partitions(config.indexPartitions(), signing.banding().bands());

    @Test
    void shouldChangeNothingInAnyStore() throws Exception {
        TopologyHarness service = start("neardup.retention=7d,refreshed");
        List<News> news = NewsFeed.generate(DOCUMENTS, 7);
        news.forEach(one -> feed(service, one, TopologyHarness.NOW - DAY_MILLIS));
        // A day later: a repeat of one of the first would be noted.
        NewsFeed.generate(LATER, 9).forEach(one -> feed(service, one, TopologyHarness.NOW));
        assertThat(service.changes()).isPositive();

        List<String> strange =
                NewsFeed.generate(QUESTIONS / 3, 8).stream().map(News::text).toList();
        int duplicates = 0;
        for (int first = 0; first < QUESTIONS; first += AT_ONCE) {
            List<String> texts = IntStream.range(first, first + AT_ONCE)
                    .mapToObj(i -> switch (i % 3) {
                        case 0 -> news.get(i % DOCUMENTS).text();
                        case 1 -> news.get(i % DOCUMENTS).text() + " and so on";
                        default -> strange.get(i / 3);
                    })
                    .toList();
            duplicates += check(service, first, texts);
        }

        assertThat(duplicates).isGreaterThan(QUESTIONS * 2 / 3 - AT_ONCE);
        assertThat(service.changes()).isZero();
    }

    private static void feed(TopologyHarness service, News news, long timestamp) {
        byte[] key = news.id().getBytes(UTF_8);
        service.arrive(TopologyHarness.record(key, news.json(), timestamp));
    }

    /** How many of them would be duplicates. */
    private int check(TopologyHarness service, int first, List<String> texts) throws UnsignableException {
        Map<DocumentRef, Check> open = new LinkedHashMap<>();
        Gathered asked = new Gathered();
        for (String text : texts) {
            long number = (long) first + open.size() + 1;
            Check check = new Check(number, sign(text), partitions, asked);
            open.put(DocumentRef.ofCheck(number), check);
            check.begin();
        }
        service.pipeLookups(asked.lookups.take());
        service.checks().forEach(answer -> {
            Candidates found = (Candidates) answer;
            Objects.requireNonNull(open.get(found.document())).receive(found);
        });
        service.pipeReplies(asked.verifies.take());
        service.advance();
        service.checks().forEach(message -> {
            Answer answer = (Answer) message;
            Objects.requireNonNull(open.get(answer.asker())).receive(answer);
        });
        return (int) open.values().stream()
                .filter(check -> check.result().orElseThrow().originalAt(0.7).isPresent())
                .count();
    }

    private static final class Gathered implements MessageOutbox {
        private final Batch<Message> lookups = MessageCodec.batch();
        private final Batch<Message> verifies = MessageCodec.batch();

        @Override
        public void toIndex(int indexPartition, ToIndex message) {
            lookups.add(message);
        }

        @Override
        public void toCoordinator(int coordinator, ToCoordinator message) {
            verifies.add(message);
        }
    }

    private SignedDocument sign(String text) throws UnsignableException {
        byte[] value = new News("asked", text).json();
        InputRecord record = new InputRecord("check", 0, 0, 0, null, value, List.of());
        return signing.signer().sign((Document) reader.read(record));
    }
}
