package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.Banding;
import org.junit.jupiter.api.Test;

class BinsTest {
    private static final Banding CURVE = new Banding(20, 5);

    @Test
    void shouldPutABorderIntoTheBinThatItBegins() {
        Bins bins = new Bins(CURVE);

        for (int edge = 1; edge < 20; edge++) {
            bins.add(edge / 20.0, false);
            bins.add(Math.nextDown(edge / 20.0), true);
        }

        assertThat(bins.from(0).subList(1, 19)).hasSize(18).allSatisfy(bin -> {
            assertThat(bin.pairs()).isEqualTo(2);
            assertThat(bin.found()).isEqualTo(1);
        });
    }

    @Test
    void shouldCountEqualDocumentsInTheLastBin() {
        Bins bins = new Bins(CURVE);

        bins.add(1, true);

        assertThat(bins.from(0.95)).containsExactly(new Bin(0.95, 1, 1, 1, 1));
    }

    @Test
    void shouldCutTheFirstBinAtTheFloor() {
        Bins bins = new Bins(CURVE);

        assertThat(bins.from(0.92).get(0)).isEqualTo(new Bin(0.92, 0.95, 0, 0, CURVE.probability((0.92 + 0.95) / 2)));
        assertThat(bins.from(1)).hasSize(1);
    }
}
