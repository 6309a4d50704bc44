package io.neardup.tools.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.junit.jupiter.api.Test;

class BulkProducerTest {
    /** Whatever is called after a send that failed says only that one has failed. */
    @Test
    void shouldSayWhyASendFailed() {
        KafkaException failure =
                new KafkaException("Cannot execute", new KafkaException(new InvalidTimestampException("too old")));

        assertThat(BulkProducer.refused("id", "topic", failure, AclOperation.WRITE, "the input does not take it"))
                .hasMessage("the input does not take it, found: too old");
    }
}
