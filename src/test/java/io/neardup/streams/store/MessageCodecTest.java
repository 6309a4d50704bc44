package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.NewVersion;
import io.neardup.engine.protocol.Message.Remove;
import io.neardup.engine.protocol.Message.Started;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.ToIndex;
import io.neardup.engine.protocol.Message.TombstoneArrived;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageCodecTest extends LayoutContract {
    private static final DocumentRef MAX = new DocumentRef(DocumentRef.COORDINATORS_MAX - 1, DocumentRef.SEQUENCE_MAX);

    @Test
    void shouldReadMessagesAsTheyWereWritten() {
        List<ToIndex> toIndex = ofKind(ToIndex.class);
        List<ToCoordinator> toCoordinator = ofKind(ToCoordinator.class);
        assertThat(MessageCodec.decodeToIndex(Encoded.batch(toIndex))).isEqualTo(toIndex);
        assertThat(MessageCodec.decodeToCoordinator(Encoded.batch(toCoordinator)))
                .isEqualTo(toCoordinator);
        pinned().forEach(one ->
                assertThat(Encoded.batch(List.of((Message) one.value()))).isEqualTo(one.bytes()));
        checkVersion(Encoded.batch(List.of()), MessageCodec::decodeToIndex);
        checkVersion(Encoded.batch(List.of()), MessageCodec::decodeToCoordinator);
    }

    private static <M extends Message> List<M> ofKind(Class<M> kind) {
        return pinned().stream()
                .map(Pinned::value)
                .filter(kind::isInstance)
                .<M>map(kind::cast)
                .toList();
    }

    /** One alone. */
    private static final Layout<Message> MESSAGE =
            new Layout<>("a batch of messages", MessageCodec.VERSION, MessageCodec::put, MessageCodec::take);

    private static Pinned<Message> one(Message message, String hex) {
        return new Pinned<>(MESSAGE, message, hex);
    }

    static List<Pinned<?>> pinned() {
        DocumentRef ref = new DocumentRef(3, 300);
        DocumentRef seven = new DocumentRef(0, 7);
        DocumentRefs sevens = DocumentRefs.of(List.of(seven));
        BandKeys keys = BandKeys.owning(new long[] {1, -2});
        Evidence text = Evidence.of(new byte[] {9, 8, 7});
        BitSketch sketch = BitSketch.owning(new long[] {7});
        Provenance from = new Provenance("d-7", "ä", -1, 300);
        Similarity similarity = new Similarity(0.75, 0.5, 1);
        String shares = "3fe8000000000000 3fe0000000000000 3ff0000000000000";
        Found found = new Found(sevens, 9, 4);
        return List.of(
                one(new Lookup(ref, 2, keys), "0e 01 03 ac02 02 02 0000000000000001 fffffffffffffffe"),
                one(
                        new Lookup(MAX, Integer.MAX_VALUE, BandKeys.owning(new long[0])),
                        "0e 01 feff01 ffffffffffff3f ffffffff07 00"),
                one(new Remove(ref, keys), "0e 02 03 ac02 02 0000000000000001 fffffffffffffffe"),
                one(new Candidates(ref, 2, 5, found), "0e 03 03 ac02 02 05 09 04 01 00 07"),
                one(
                        new Verify(
                                ref, 4, 1, 1_000, text, sketch, DocumentRefs.of(List.of(seven, new DocumentRef(0, 8)))),
                        "0e 04 03 ac02 04 01 e807 03 090807 01 0000000000000007 02 00 07 00 08"),
                one(
                        new Answer(
                                ref,
                                4,
                                1,
                                List.of(new Neighbour(seven, "ü", from, similarity, false)),
                                null,
                                DocumentRefs.of(List.of(new DocumentRef(1, 300))),
                                DocumentRefs.of(List.of(new DocumentRef(0, 8))),
                                6,
                                300),
                        "0e 05 03 ac02 04 01 06 ac02 01 00 07 02 c3bc 03 642d37 02 c3a4 ffffffffffffffff ac02" + shares
                                + " 00 00 00 01 01 ac02 01 00 08"),
                one(
                        new Answer(
                                ref,
                                4,
                                1,
                                List.of(
                                        new Neighbour(seven, "u", Provenance.UNKNOWN, similarity, false),
                                        new Neighbour(seven, "v", Provenance.UNKNOWN, similarity, true)),
                                null,
                                DocumentRefs.of(List.of(seven, ref)),
                                DocumentRefs.of(List.of(ref, seven)),
                                2,
                                0),
                        "0e 05 03 ac02 04 01 02 00 02 00 07 01 75 00 00 0000000000000000 00" + shares + "00 00"
                                + "00 07 01 76 00 00 0000000000000000 00" + shares + "00 01"
                                + "00 02 00 07 03 ac02 02 03 ac02 00 07"),
                one(
                        new Answer(
                                DocumentRef.ofCheck(300),
                                1,
                                0,
                                List.of(),
                                new Neighbour(seven, "u", Provenance.UNKNOWN, new Similarity(0.75, 0.5, 1, 0.5), true),
                                DocumentRefs.NONE,
                                DocumentRefs.NONE,
                                1,
                                0),
                        "0e 05 ffff01 ac02 01 00 01 00 00 01 00 07 01 75 00 00 0000000000000000 00" + shares
                                + "01 3fe0000000000000 01 00 00"),
                one(new Started(300), "0e 06 ac02"),
                one(new TombstoneArrived(new RecordKey(1, -1)), "0e 07 0000000000000001 ffffffffffffffff"),
                one(new NewVersion(300, "ü"), "0e 08 ac02 02 c3bc"));
    }

    @Test
    void shouldReadAnyBatchOrRefuseIt() {
        checkMutations(Encoded.batch(ofKind(ToIndex.class)), MessageCodec::decodeToIndex, Encoded::batch);
        checkMutations(Encoded.batch(ofKind(ToCoordinator.class)), MessageCodec::decodeToCoordinator, Encoded::batch);
    }

    @Test
    void shouldRefuseABatchThatIsCutOffWithinAMessage() {
        Message message = new NewVersion(300, "ü");
        byte[] one = Encoded.batch(List.of(message));
        byte[] two = Encoded.batch(List.of(message, message));
        for (int length = 0; length < two.length; length++) {
            byte[] cut = Arrays.copyOf(two, length);
            // Without any message, or with one, it is whole.
            if (length != 1 && length != one.length) {
                assertThatThrownBy(() -> MessageCodec.decodeToCoordinator(cut))
                        .describedAs("%d of %d bytes", length, two.length)
                        .isInstanceOf(WireException.class);
            }
        }
    }

    @Test
    void shouldRefuseMessagesForTheOtherKindOfReceiver() {
        byte[] toIndex = Encoded.batch(List.of(new Remove(MAX, BandKeys.owning(new long[1]))));
        byte[] toCoordinator = Encoded.batch(List.of(new Started(1)));

        assertThatThrownBy(() -> MessageCodec.decodeToCoordinator(toIndex))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected a message ToCoordinator, found Remove");
        assertThatThrownBy(() -> MessageCodec.decodeToIndex(toCoordinator))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected a message ToIndex, found Started");
    }

    @Test
    void shouldBeFullWhenWholeTextsHaveMadeItLong() {
        Batch<Message> batch = MessageCodec.batch();
        Evidence text = Evidence.of(new byte[50_000]);
        Verify verify = new Verify(MAX, 1, 0, 3, text, BitSketch.NONE, DocumentRefs.of(List.of(new DocumentRef(4, 5))));
        for (int i = 0; i < 3; i++) {
            assertThat(batch.isFull()).isFalse();
            batch.add(verify);
        }
        assertThat(batch.isFull()).isTrue();
        assertThat(MessageCodec.decodeToCoordinator(batch.take())).hasSize(3).containsOnly(verify);
        assertThat(batch.isFull()).isFalse();
    }
}
