package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.Message.NewVersion;
import io.neardup.engine.protocol.Message.TombstoneArrived;
import io.neardup.engine.protocol.PredecessorChange.Completed;
import io.neardup.engine.protocol.PredecessorChange.Removed;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MigrationTargetTest extends CoordinatorHarness {
    private static final DocumentRef A = new DocumentRef(3, 70);
    private static final DocumentRef B = new DocumentRef(3, 71);
    private static final DocumentRef ELSEWHERE = new DocumentRef(2, 9);
    private static final RecordKey KEY = new RecordKey(1, 2);
    private static final Completed HERE = new Completed(Map.of("input", 500L), false, 0);
    private static final Completed ANYWHERE = new Completed(Map.of("input", 500L), true, 0);

    /** An original that is taken over, and has left. */
    private DocumentRef takenOver(String name, DocumentRef source) {
        DocumentRef ref = migrate(name, name, source);
        answerAll(ref);
        requireReleased(unique(name));
        sent();
        return ref;
    }

    @Test
    void shouldRemoveOneAlsoAfterARestart() {
        DocumentRef first = migrate("first", "first", B);
        DocumentRef a = migrate("a", "a", A);
        migrate("gone", new Removed(A));
        answerAll(a);

        restart();
        answerAll(first);

        assertThat(released()).extracting(Released::payload).containsExactly("first", "a", "gone");
        assertThat(isOriginal(a)).isFalse();
        assertThat(isOriginal(first)).isTrue();
    }

    @Test
    void shouldCountOnceWhatComesTwice() {
        DocumentRef a = takenOver("a", A);

        migrate("again", "a", A);

        requireNothingSent();
        requireReleased(unjudged("again"));
        assertThat(state().originalsTakenOverAs(A))
                .extracting(CoordinatorState.Entry::ref)
                .containsExactly(a);
    }

    @Test
    void shouldRemoveBothWhereOneCameTwiceAtOnce() {
        DocumentRef a = migrate("a", "a", A);
        DocumentRef again = migrate("again", "a", A);
        answerAll(a);
        answerAll(again);

        migrate("gone", new Removed(A));

        assertThat(isOriginal(a)).isFalse();
        assertThat(isOriginal(again)).isFalse();
    }

    @Test
    void shouldGoOnFromWhereTheInputIsWhereTheEndComesTwice() {
        migrate("end", HERE);
        role().pass(new InputOffset("input", 500), "x", nowMillis());

        migrate("end again", HERE);

        assertThat(state().positions()).containsEntry("input", new InputPosition(501));
    }

    @Test
    void shouldAnnounceToAllCoordinatorsATombstoneWhereOriginalsAreAnywhere() {
        migrate("end", ANYWHERE);
        takeTombstone("gone", KEY);
        requireSent(new Sent(ALL, new TombstoneArrived(KEY)));

        stop();
        takeTombstone("gone again", KEY);
        requireSent(new Sent(ALL, new TombstoneArrived(KEY)));
    }

    @Test
    void shouldAnnounceNothingWhereOriginalsAreWithTheirKeys() {
        versions = Versions.REPLACE;
        migrate("end", HERE);
        takeTombstone("gone", KEY);
        DocumentRef d = arrive("d");
        answerAll(d);

        requireNothingSent();
    }

    @Test
    void shouldAnnounceToAllCoordinatorsANewVersionWhereTheseReplace() {
        versions = Versions.REPLACE;
        migrate("end", ANYWHERE);
        id("d", "id-7");

        arrive("d");

        requireSent(new Sent(ALL, new NewVersion(COORDINATOR, "id-7")));
    }

    @Test
    void shouldRemoveWhatWasTakenOverAlone() {
        origin("a", KEY, 0);
        origin("own", KEY, 0);
        DocumentRef a = takenOver("a", A);
        migrate("end", ANYWHERE);
        DocumentRef own = original("own");
        sent();

        receive(new TombstoneArrived(KEY));

        assertThat(isOriginal(a)).isFalse();
        assertThat(isOriginal(own)).isTrue();
        requireSent(removes(a));
    }

    @Test
    void shouldReplaceWhatWasTakenOverAlone() {
        versions = Versions.REPLACE;
        id("a", "same");
        id("own", "same");
        DocumentRef a = takenOver("a", A);
        migrate("end", ANYWHERE);

        receive(new NewVersion(ELSEWHERE.coordinator(), "same"));
        assertThat(isOriginal(a)).isFalse();

        DocumentRef own = original("own");
        receive(new NewVersion(ELSEWHERE.coordinator(), "same"));
        assertThat(isOriginal(own)).isTrue();
    }

    @Test
    void shouldPutADocumentOfItsOwnInThePlaceOfWhatWasTakenOver() {
        versions = Versions.REPLACE;
        id("a", "same");
        id("version", "same");
        DocumentRef a = takenOver("a", A);
        DocumentRef b = takenOver("b", B);
        migrate("end", ANYWHERE);
        released();
        similar("b", "version", 0.9);
        DocumentRef version = arrive("version");

        receive(new NewVersion(COORDINATOR, "same"));
        assertThat(isOriginal(a)).isTrue();
        answerAll(version, b);

        requireReleased(unique("version"));
        assertThat(isOriginal(a)).isFalse();
    }
}
