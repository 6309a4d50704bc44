package io.neardup.examples;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.lifecycle.DedupService;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/** An application of Kafka Streams that goes on with what neardup found to be unique, in the same process. */
public final class NewsApplication {
    private static final Serde<String> TEXT = Serdes.String();

    private NewsApplication() {}

    /** Starts it with settings such as {@code bootstrap.servers=localhost:9092}. */
    public static DedupService start(List<String> settings) {
        NeardupConfig config = NeardupConfig.forCluster(new Settings().pairs(settings));
        StreamsBuilder news = new StreamsBuilder();
        news.stream(config.uniqueTopic(), Consumed.with(TEXT, TEXT))
                .filter((id, document) -> document != null) // a tombstone
                .mapValues(document -> String.valueOf(document.length()))
                .to("lengths", Produced.with(TEXT, TEXT));
        DedupService service = DedupService.start(config, news.build());
        Runtime.getRuntime().addShutdownHook(new Thread(service::close));
        return service;
    }

    public static void main(String[] settings) throws ExecutionException, InterruptedException {
        start(List.of(settings)).ended().get();
    }
}
