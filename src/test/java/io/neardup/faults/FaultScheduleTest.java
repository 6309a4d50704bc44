package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.faults.FaultSchedule.Fault;
import io.neardup.faults.FaultSchedule.Kind;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
    private static final int DOCUMENTS = 10_000;
    private static final int BROKERS = 3;

    private static List<Fault> draw(long seed) {
        return FaultSchedule.draw(seed, 35, DOCUMENTS, BROKERS);
    }

    @Test
    void shouldBeginWithAStopADoubleKillAndALostBroker() {
        for (long seed = 0; seed < 100; seed++) {
            assertThat(draw(seed).subList(0, 3))
                    .extracting(fault -> fault.kind() == Kind.KILL_BOTH ? Kind.KILL_TWICE : fault.kind())
                    .containsExactlyInAnyOrder(Kind.STOP, Kind.KILL_TWICE, Kind.BROKER_LOSS);
        }
    }

    @Test
    void shouldNeverHitAnInstanceOrBrokerThatIsNotThere() {
        for (long seed = 0; seed < 100; seed++) {
            int instances = FaultSchedule.INSTANCES_MIN;
            for (Fault fault : draw(seed)) {
                assertThat(fault.target()).isBetween(0, (fault.kind() == Kind.BROKER_LOSS ? BROKERS : instances) - 1);
                instances += fault.kind() == Kind.ADD ? 1 : fault.kind() == Kind.REMOVE ? -1 : 0;
                assertThat(instances).isBetween(2, 3);
            }
        }
    }

    @Test
    void shouldKillBothIndexesWhileOneHandsOver() {
        for (long seed = 0; seed < 100; seed++) {
            List<Fault> faults = FaultSchedule.drawCutover(seed);
            List<Kind> kinds = faults.stream().map(Fault::kind).toList();

            assertThat(faults).isSortedAccordingTo(Comparator.comparing(Fault::afterDocuments));
            assertThat(kinds).startsWith(Kind.FOLLOW, Kind.KILL).endsWith(Kind.KILL);
            assertThat(faults.subList(kinds.indexOf(Kind.CUT_OVER) + 1, kinds.indexOf(Kind.HANDED_OVER)))
                    .extracting(Fault::target)
                    .contains(0, 1);
        }
    }
}
