package io.neardup.bench;

import io.neardup.bench.BenchReports.Corpus;
import io.neardup.bench.BenchReports.Layout;
import io.neardup.bench.BenchReports.Spread;
import io.neardup.bench.BenchSession.Input;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The service with 1, 4 and 16 partitions of the input and as many of the bands, each with each. */
final class SpreadRun {
    private static final List<Integer> COUNTS = List.of(1, 4, 16);

    private final BenchSession session;
    private final Bench.Options options;
    private final RateChart rates;
    private final WorkerProcess service;

    /** Starts the service's process. */
    SpreadRun(BenchSession session, RateChart rates) throws IOException {
        this.session = session;
        this.options = session.options();
        this.rates = rates;
        this.service = session.worker(Subject.Kind.SERVICE);
    }

    Spread run() {
        List<Layout> layouts = new ArrayList<>();
        for (int partitions : COUNTS) {
            session.progress().phase("loading the input");
            Input input = session.load("documents-" + partitions, partitions, 0, options.documents());
            if (layouts.isEmpty()) {
                WarmUp.run(session, service, "service", input, options.documents());
            }
            for (int indexPartitions : COUNTS) {
                layouts.add(drain(input, indexPartitions));
            }
            session.cluster().deleteAll(input.topic());
        }
        double fewest = layouts.get(0).speed().cpuMicrosOfBoth();
        double most = layouts.get(layouts.size() - 1).speed().cpuMicrosOfBoth();
        return new Spread(Corpus.of(session), most / fewest, layouts);
    }

    private Layout drain(Input input, int indexPartitions) {
        String name = input.partitions() + " x " + indexPartitions;
        session.progress().phase("partitions x index partitions " + name);
        Trial trial = new Trial(
                session,
                service,
                "spread-" + input.partitions() + "-" + indexPartitions,
                input,
                Map.of("neardup.bands.partitions", String.valueOf(indexPartitions)));
        Drain.Result drained = new Drain(trial, 0, options.documents()).run(trial::start);
        rates.add(name, drained.samples());
        trial.stop();
        trial.delete();
        return new Layout(input.partitions(), indexPartitions, drained.speed());
    }
}
