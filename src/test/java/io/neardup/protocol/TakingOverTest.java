package io.neardup.protocol;

import static io.neardup.protocol.HomeHarness.ALL;
import static io.neardup.protocol.HomeHarness.HOME;
import static io.neardup.protocol.HomeHarness.duplicate;
import static io.neardup.protocol.HomeHarness.unique;
import static io.neardup.protocol.HomeHarness.unjudged;
import static io.neardup.protocol.HomeHarness.verifiedSent;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.protocol.Followed.Completed;
import io.neardup.protocol.Followed.LetGo;
import io.neardup.protocol.Followed.Refreshed;
import io.neardup.protocol.HomeHarness.Sent;
import io.neardup.protocol.Message.NewVersion;
import io.neardup.protocol.Message.TakenBack;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TakingOverTest {
    private static final Ref A = new Ref(3, 70);
    private static final Ref B = new Ref(3, 71);
    private static final Ref ELSEWHERE = new Ref(2, 9);
    private static final RecordKey KEY = new RecordKey(1, 2);
    private static final Completed HERE = new Completed(Map.of("input", 500L), false, 0);
    private static final Completed ANYWHERE = new Completed(Map.of("input", 500L), true, 0);

    private final HomeHarness home = new HomeHarness();

    /** An original that is taken over, and has left. */
    private Ref takenOver(String name, Ref source) {
        Ref ref = home.follow(name, home.taken(name, source));
        home.answerAll(ref);
        assertThat(home.released()).containsExactly(unique(name));
        home.sent();
        return ref;
    }

    private boolean isOriginal(Ref ref) {
        return home.state().hasOriginal(ref);
    }

    @Test
    void shouldMakeAnOriginalOfWhateverItResembles() {
        Ref a = home.follow("a", home.taken("a", A));
        assertThat(home.sent()).isEqualTo(home.lookups(a));

        home.answerAll(a, ELSEWHERE);

        assertThat(home.sent()).isEmpty();
        assertThat(home.released()).containsExactly(unique("a"));
        assertThat(home.state().originalsFrom(A))
                .extracting(HomeState.Entry::ref)
                .containsExactly(a);
    }

    @Test
    void shouldJudgeWhatComesLaterByIt() {
        Ref a = takenOver("a", A);
        home.similar("a", "b", 0.9);

        home.verify(ELSEWHERE, home.nowMillis(), "b", a);

        assertThat(home.sent()).containsExactly(verifiedSent(ELSEWHERE, a, 0.9, "a"));
    }

    @Test
    void shouldLetGoOfAnOriginal() {
        Ref a = takenOver("a", A);
        Ref b = takenOver("b", B);

        home.follow("gone", new LetGo(A));

        assertThat(home.released()).containsExactly(unjudged("gone"));
        assertThat(home.sent()).isEqualTo(home.removes(a));
        assertThat(isOriginal(a)).isFalse();
        assertThat(isOriginal(b)).isTrue();
    }

    @Test
    void shouldLetGoOfOneThatIsNoOriginalYet() {
        Ref a = home.follow("a", home.taken("a", A));
        home.follow("gone", new LetGo(A));
        assertThat(home.released()).isEmpty();
        home.sent();

        home.answerAll(a);

        assertThat(home.released()).containsExactly(unique("a"), unjudged("gone"));
        assertThat(home.sent()).isEqualTo(home.removes(a));
        assertThat(isOriginal(a)).isFalse();
    }

    @Test
    void shouldLetGoOfOneAlsoAfterARestart() {
        Ref first = home.follow("first", home.taken("first", B));
        Ref a = home.follow("a", home.taken("a", A));
        home.follow("gone", new LetGo(A));
        home.answerAll(a);

        home.restart();
        home.answerAll(first);

        assertThat(home.namesReleased()).containsExactly("first", "a", "gone");
        assertThat(isOriginal(a)).isFalse();
        assertThat(isOriginal(first)).isTrue();
    }

    @Test
    void shouldHearNothingOfAnOriginalThatItDoesNotKnow() {
        home.follow("gone", new LetGo(A));
        home.follow("repeated", new Refreshed(A, 5));

        assertThat(home.released()).containsExactly(unjudged("gone"), unjudged("repeated"));
    }

    @Test
    void shouldCountOnceWhatComesTwice() {
        Ref a = takenOver("a", A);

        home.follow("again", home.taken("a", A));

        assertThat(home.sent()).isEmpty();
        assertThat(home.released()).containsExactly(unjudged("again"));
        assertThat(home.state().originalsFrom(A))
                .extracting(HomeState.Entry::ref)
                .containsExactly(a);
    }

    @Test
    void shouldLetGoOfBothWhereOneCameTwiceAtOnce() {
        Ref a = home.follow("a", home.taken("a", A));
        Ref again = home.follow("again", home.taken("a", A));
        home.answerAll(a);
        home.answerAll(again);

        home.follow("gone", new LetGo(A));

        assertThat(isOriginal(a)).isFalse();
        assertThat(isOriginal(again)).isFalse();
    }

    @Test
    void shouldNoteWhenOneWasRepeatedThatIsNoOriginalYet() {
        Ref a = home.follow("a", home.taken("a", A));
        home.follow("repeated", new Refreshed(A, 77));

        home.answerAll(a);

        assertThat(home.state().lastRepeated(a)).isEqualTo(77);
    }

    @Test
    void shouldBeginTheInputWhereTheEndSays() {
        home.follow("end", new Completed(Map.of("input", 500L, "new", 0L), false, 0));

        assertThat(home.role().hasTakenOver()).isTrue();
        InputPosition start = new InputPosition(500, false);
        InputPosition zero = new InputPosition(0, false);
        assertThat(home.state().positions()).containsEntry("input", start).containsEntry("new", zero);
        home.stop();
        assertThat(home.role().hasTakenOver()).isTrue();
        assertThat(home.role().positions()).containsEntry("input", start).containsEntry("new", zero);
    }

    @Test
    void shouldGoOnFromTheEventTimeOfTheIndexBefore() {
        home.withRetention(new Retention(100, false));
        home.origin("a", null, 1_000);
        home.similar("a", "b", 0.9);
        Ref a = takenOver("a", A);
        home.follow("end", new Completed(Map.of("input", 500L), false, 1_100));
        home.released();
        assertThat(home.state().expiry().eventMillis()).isEqualTo(1_100);

        Ref b = home.arrive("b");
        home.answerAll(b, a);

        assertThat(home.released()).containsExactly(unique("b"));
    }

    @Test
    void shouldNoteTheEndWhenAllBeforeItHasLeft() {
        Ref a = home.follow("a", home.taken("a", A));
        home.follow("end", HERE);
        assertThat(home.role().hasTakenOver()).isFalse();
        assertThat(home.state().positions()).doesNotContainKey("input");

        home.answerAll(a);

        assertThat(home.released()).containsExactly(unique("a"), unjudged("end"));
        assertThat(home.role().hasTakenOver()).isTrue();
    }

    @Test
    void shouldGoOnFromWhereTheInputIsWhereTheEndComesTwice() {
        home.follow("end", HERE);
        home.role().pass(new InputOffset("input", 500), "x", home.nowMillis());

        home.follow("end again", HERE);

        assertThat(home.state().positions()).containsEntry("input", new InputPosition(501, false));
    }

    @Test
    void shouldTellAllHomesOfATombstoneWhereOriginalsAreAnywhere() {
        home.follow("end", ANYWHERE);
        home.takeBack("gone", KEY);
        assertThat(home.sent()).containsExactly(new Sent(ALL, new TakenBack(KEY)));

        home.stop();
        home.takeBack("gone again", KEY);
        assertThat(home.sent()).containsExactly(new Sent(ALL, new TakenBack(KEY)));
    }

    @Test
    void shouldTellNobodyWhereOriginalsAreWithTheirKeys() {
        home.withVersions(Versions.REPLACE);
        home.follow("end", HERE);
        home.takeBack("gone", KEY);
        Ref d = home.arrive("d");
        home.answerAll(d);

        assertThat(home.sent()).isEmpty();
    }

    @Test
    void shouldTellAllHomesOfANewVersionWhereTheseReplace() {
        home.withVersions(Versions.REPLACE);
        home.follow("end", ANYWHERE);
        home.id("d", "id-7");

        home.arrive("d");

        assertThat(home.sent()).containsExactly(new Sent(ALL, new NewVersion(HOME, "id-7")));
    }

    @Test
    void shouldTakeBackWhatWasTakenOverAlone() {
        home.origin("a", KEY, 0);
        home.origin("own", KEY, 0);
        Ref a = takenOver("a", A);
        home.follow("end", ANYWHERE);
        Ref own = home.original("own");
        home.sent();

        home.receive(new TakenBack(KEY));

        assertThat(isOriginal(a)).isFalse();
        assertThat(isOriginal(own)).isTrue();
        assertThat(home.sent()).isEqualTo(home.removes(a));
    }

    @Test
    void shouldReplaceWhatWasTakenOverAlone() {
        home.withVersions(Versions.REPLACE);
        home.id("a", "same");
        home.id("own", "same");
        Ref a = takenOver("a", A);
        home.follow("end", ANYWHERE);

        home.receive(new NewVersion(ELSEWHERE.home(), "same"));
        assertThat(isOriginal(a)).isFalse();

        Ref own = home.original("own");
        home.receive(new NewVersion(ELSEWHERE.home(), "same"));
        assertThat(isOriginal(own)).isTrue();
    }

    @Test
    void shouldPutADocumentOfItsOwnInThePlaceOfWhatWasTakenOver() {
        home.withVersions(Versions.REPLACE);
        home.id("a", "same");
        home.id("version", "same");
        Ref a = takenOver("a", A);
        Ref b = takenOver("b", B);
        home.follow("end", ANYWHERE);
        home.released();
        home.similar("b", "version", 0.9);
        Ref version = home.arrive("version");

        home.receive(new NewVersion(HOME, "same"));
        assertThat(isOriginal(a)).isTrue();
        home.answerAll(version, b);

        assertThat(home.released()).containsExactly(unique("version"));
        assertThat(isOriginal(a)).isFalse();
    }

    @Test
    void shouldTakeNothingBackWhereNothingWasTakenOver() {
        home.origin("own", KEY, 0);
        Ref own = home.original("own");

        home.receive(new TakenBack(KEY));

        assertThat(isOriginal(own)).isTrue();
        assertThat(home.state().takeBacks()).isEmpty();
    }

    @Test
    void shouldNameWhatWasTakenOverToADuplicate() {
        Ref a = takenOver("a", A);
        home.follow("end", HERE);
        home.released();
        Ref copy = home.arrive("copy");
        home.similar("a", "copy", 0.8);

        home.answerAll(copy, a);

        assertThat(home.released()).containsExactly(duplicate("copy", new Ref(HOME, 0), "a", 0.8));
    }
}
