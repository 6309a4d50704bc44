package io.neardup.engine.protocol;

import static io.neardup.engine.protocol.CoordinatorHarness.ALL;
import static io.neardup.engine.protocol.CoordinatorHarness.COORDINATOR;
import static io.neardup.engine.protocol.CoordinatorHarness.unique;
import static io.neardup.engine.protocol.CoordinatorHarness.unjudged;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.CoordinatorHarness.Released;
import io.neardup.engine.protocol.CoordinatorHarness.Sent;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.Message.NewVersion;
import io.neardup.engine.protocol.Message.TombstoneArrived;
import io.neardup.engine.protocol.PredecessorChange.Completed;
import io.neardup.engine.protocol.PredecessorChange.Removed;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MigrationTargetTest {
    private static final DocumentRef A = new DocumentRef(3, 70);
    private static final DocumentRef B = new DocumentRef(3, 71);
    private static final DocumentRef ELSEWHERE = new DocumentRef(2, 9);
    private static final RecordKey KEY = new RecordKey(1, 2);
    private static final Completed HERE = new Completed(Map.of("input", 500L), false, 0);
    private static final Completed ANYWHERE = new Completed(Map.of("input", 500L), true, 0);

    private final CoordinatorHarness coordinator = new CoordinatorHarness();

    /** An original that is taken over, and has left. */
    private DocumentRef takenOver(String name, DocumentRef source) {
        DocumentRef ref = coordinator.migrate(name, coordinator.taken(name, source));
        coordinator.answerAll(ref);
        assertThat(coordinator.released()).containsExactly(unique(name));
        coordinator.sent();
        return ref;
    }

    private boolean isOriginal(DocumentRef ref) {
        return coordinator.state().entry(ref).isPresent();
    }

    @Test
    void shouldRemoveOneAlsoAfterARestart() {
        DocumentRef first = coordinator.migrate("first", coordinator.taken("first", B));
        DocumentRef a = coordinator.migrate("a", coordinator.taken("a", A));
        coordinator.migrate("gone", new Removed(A));
        coordinator.answerAll(a);

        coordinator.restart();
        coordinator.answerAll(first);

        assertThat(coordinator.released()).extracting(Released::payload).containsExactly("first", "a", "gone");
        assertThat(isOriginal(a)).isFalse();
        assertThat(isOriginal(first)).isTrue();
    }

    @Test
    void shouldCountOnceWhatComesTwice() {
        DocumentRef a = takenOver("a", A);

        coordinator.migrate("again", coordinator.taken("a", A));

        assertThat(coordinator.sent()).isEmpty();
        assertThat(coordinator.released()).containsExactly(unjudged("again"));
        assertThat(coordinator.state().originalsTakenOverAs(A))
                .extracting(CoordinatorState.Entry::ref)
                .containsExactly(a);
    }

    @Test
    void shouldRemoveBothWhereOneCameTwiceAtOnce() {
        DocumentRef a = coordinator.migrate("a", coordinator.taken("a", A));
        DocumentRef again = coordinator.migrate("again", coordinator.taken("a", A));
        coordinator.answerAll(a);
        coordinator.answerAll(again);

        coordinator.migrate("gone", new Removed(A));

        assertThat(isOriginal(a)).isFalse();
        assertThat(isOriginal(again)).isFalse();
    }

    @Test
    void shouldGoOnFromWhereTheInputIsWhereTheEndComesTwice() {
        coordinator.migrate("end", HERE);
        coordinator.role().pass(new InputOffset("input", 500), "x", coordinator.nowMillis());

        coordinator.migrate("end again", HERE);

        assertThat(coordinator.state().positions()).containsEntry("input", new InputPosition(501));
    }

    @Test
    void shouldAnnounceToAllCoordinatorsATombstoneWhereOriginalsAreAnywhere() {
        coordinator.migrate("end", ANYWHERE);
        coordinator.takeTombstone("gone", KEY);
        assertThat(coordinator.sent()).containsExactly(new Sent(ALL, new TombstoneArrived(KEY)));

        coordinator.stop();
        coordinator.takeTombstone("gone again", KEY);
        assertThat(coordinator.sent()).containsExactly(new Sent(ALL, new TombstoneArrived(KEY)));
    }

    @Test
    void shouldAnnounceNothingWhereOriginalsAreWithTheirKeys() {
        coordinator.withVersions(Versions.REPLACE);
        coordinator.migrate("end", HERE);
        coordinator.takeTombstone("gone", KEY);
        DocumentRef d = coordinator.arrive("d");
        coordinator.answerAll(d);

        assertThat(coordinator.sent()).isEmpty();
    }

    @Test
    void shouldAnnounceToAllCoordinatorsANewVersionWhereTheseReplace() {
        coordinator.withVersions(Versions.REPLACE);
        coordinator.migrate("end", ANYWHERE);
        coordinator.id("d", "id-7");

        coordinator.arrive("d");

        assertThat(coordinator.sent()).containsExactly(new Sent(ALL, new NewVersion(COORDINATOR, "id-7")));
    }

    @Test
    void shouldRemoveWhatWasTakenOverAlone() {
        coordinator.origin("a", KEY, 0);
        coordinator.origin("own", KEY, 0);
        DocumentRef a = takenOver("a", A);
        coordinator.migrate("end", ANYWHERE);
        DocumentRef own = coordinator.original("own");
        coordinator.sent();

        coordinator.receive(new TombstoneArrived(KEY));

        assertThat(isOriginal(a)).isFalse();
        assertThat(isOriginal(own)).isTrue();
        assertThat(coordinator.sent()).isEqualTo(coordinator.removes(a));
    }

    @Test
    void shouldReplaceWhatWasTakenOverAlone() {
        coordinator.withVersions(Versions.REPLACE);
        coordinator.id("a", "same");
        coordinator.id("own", "same");
        DocumentRef a = takenOver("a", A);
        coordinator.migrate("end", ANYWHERE);

        coordinator.receive(new NewVersion(ELSEWHERE.coordinator(), "same"));
        assertThat(isOriginal(a)).isFalse();

        DocumentRef own = coordinator.original("own");
        coordinator.receive(new NewVersion(ELSEWHERE.coordinator(), "same"));
        assertThat(isOriginal(own)).isTrue();
    }

    @Test
    void shouldPutADocumentOfItsOwnInThePlaceOfWhatWasTakenOver() {
        coordinator.withVersions(Versions.REPLACE);
        coordinator.id("a", "same");
        coordinator.id("version", "same");
        DocumentRef a = takenOver("a", A);
        DocumentRef b = takenOver("b", B);
        coordinator.migrate("end", ANYWHERE);
        coordinator.released();
        coordinator.similar("b", "version", 0.9);
        DocumentRef version = coordinator.arrive("version");

        coordinator.receive(new NewVersion(COORDINATOR, "same"));
        assertThat(isOriginal(a)).isTrue();
        coordinator.answerAll(version, b);

        assertThat(coordinator.released()).containsExactly(unique("version"));
        assertThat(isOriginal(a)).isFalse();
    }
}
