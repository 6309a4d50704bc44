package io.neardup.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.protocol.Decision;
import io.neardup.protocol.HomeState;
import io.neardup.protocol.NumberBlock;
import io.neardup.protocol.Original;
import io.neardup.protocol.Ref;
import io.neardup.wire.StateCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A home's state in two stores of its task.
 *
 * <ul>
 *   <li>{@code originals}: sequence -> what later documents are judged against. Grows with the index; on disk.
 *   <li>{@code progress}: where the home stands. A byte for the kind, then: how often it started; block of sequence numbers
 *       by its first; by topic, up to where all has left; by sequence, decisions that wait for an earlier document. In
 *       memory; small, as it holds only what is in flight.
 * </ul>
 */
final class KafkaHomeState implements HomeState {
    private static final byte ATTEMPT = 0;
    private static final byte BLOCK = 1;
    private static final byte LEFT = 2;
    private static final byte DECISION = 3;
    private static final Bytes ATTEMPT_KEY = Bytes.wrap(new byte[] {ATTEMPT});

    private final KeyValueStore<Bytes, byte[]> progress;
    private final KeyValueStore<Bytes, byte[]> originals;

    KafkaHomeState(KeyValueStore<Bytes, byte[]> progress, KeyValueStore<Bytes, byte[]> originals) {
        this.progress = progress;
        this.originals = originals;
    }

    @Override
    public int raiseAttempt() {
        byte[] last = progress.get(ATTEMPT_KEY);
        long attempt = last == null ? 1 : number(last) + 1;
        progress.put(ATTEMPT_KEY, bytes(attempt));
        return Math.toIntExact(attempt);
    }

    @Override
    public void begin(NumberBlock block) {
        progress.put(key(BLOCK, block.firstSequence()), StateCodec.encode(block));
    }

    @Override
    public void forget(NumberBlock block) {
        progress.delete(key(BLOCK, block.firstSequence()));
    }

    @Override
    public List<NumberBlock> blocks() {
        List<NumberBlock> blocks = new ArrayList<>();
        forEach(BLOCK, (key, value) -> blocks.add(StateCodec.decodeBlock(value)));
        return blocks;
    }

    @Override
    public void left(String topic, long nextOffset) {
        byte[] name = topic.getBytes(UTF_8);
        byte[] key = ByteBuffer.allocate(1 + name.length).put(LEFT).put(name).array();
        progress.put(Bytes.wrap(key), bytes(nextOffset));
    }

    @Override
    public Map<String, Long> left() {
        Map<String, Long> left = new HashMap<>();
        forEach(LEFT, (key, value) -> left.put(new String(key, 1, key.length - 1, UTF_8), number(value)));
        return left;
    }

    @Override
    public void decide(Ref document, Decision.Duplicate decision) {
        progress.put(key(DECISION, document.sequence()), StateCodec.encode(decision));
    }

    @Override
    public Optional<Decision.Duplicate> decision(Ref document) {
        return Optional.ofNullable(progress.get(key(DECISION, document.sequence())))
                .map(StateCodec::decodeDecision);
    }

    @Override
    public void forgetDecision(Ref document) {
        progress.delete(key(DECISION, document.sequence()));
    }

    @Override
    public void addOriginal(Ref document, Original original) {
        originals.put(originalKey(document), StateCodec.encode(original));
    }

    @Override
    public Optional<Original> original(Ref document) {
        return Optional.ofNullable(originals.get(originalKey(document))).map(StateCodec::decodeOriginal);
    }

    private void forEach(byte kind, BiConsumer<byte[], byte[]> action) {
        Bytes from = Bytes.wrap(new byte[] {kind});
        Bytes to = Bytes.wrap(new byte[] {(byte) (kind + 1)});
        try (KeyValueIterator<Bytes, byte[]> entries = progress.range(from, to)) {
            entries.forEachRemaining(entry -> {
                if (entry.key.get()[0] == kind) {
                    action.accept(entry.key.get(), entry.value);
                }
            });
        }
    }

    private static Bytes key(byte kind, long sequence) {
        return Bytes.wrap(
                ByteBuffer.allocate(1 + Long.BYTES).put(kind).putLong(sequence).array());
    }

    private static Bytes originalKey(Ref document) {
        return Bytes.wrap(bytes(document.sequence()));
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }
}
