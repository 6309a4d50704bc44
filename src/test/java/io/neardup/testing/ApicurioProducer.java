package io.neardup.testing;

import io.apicurio.registry.resolver.ParsedSchemaImpl;
import io.apicurio.registry.resolver.SchemaLookupResult;
import io.apicurio.registry.resolver.SchemaParser;
import io.apicurio.registry.resolver.SchemaResolver;
import io.apicurio.registry.resolver.client.RegistryClientFacade;
import io.apicurio.registry.resolver.data.Record;
import io.apicurio.registry.resolver.strategy.ArtifactReference;
import io.apicurio.registry.resolver.strategy.ArtifactReferenceResolverStrategy;
import io.apicurio.registry.serde.avro.AvroKafkaSerializer;
import io.apicurio.registry.serde.avro.AvroSchemaParser;
import io.apicurio.registry.serde.avro.DefaultAvroDatumProvider;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.header.Headers;

/**
 * What a producer with the serializer of Apicurio writes. The ids are given: where its client would register the
 * schema, nothing is asked.
 */
public final class ApicurioProducer {
    private final AvroKafkaSerializer<GenericRecord> serializer;

    /** @param settings of the serializer, beside its defaults */
    public ApicurioProducer(long contentId, Map<String, ?> settings) {
        serializer = new AvroKafkaSerializer<>(new GivenId(contentId));
        serializer.configure(new HashMap<>(settings), false);
    }

    /** The value; what goes into headers is added to them. */
    public byte[] value(GenericRecord record, Headers headers) {
        return serializer.serialize("documents", headers, record);
    }

    private record GivenId(long contentId) implements SchemaResolver<Schema, GenericRecord> {
        @Override
        public SchemaLookupResult<Schema> resolveSchema(Record<GenericRecord> data) {
            return SchemaLookupResult.<Schema>builder()
                    .contentId(contentId)
                    .globalId(contentId + 1_000)
                    .parsedSchema(new ParsedSchemaImpl<Schema>()
                            .setParsedSchema(data.payload().getSchema()))
                    .build();
        }

        @Override
        public SchemaLookupResult<Schema> resolveSchemaByArtifactReference(ArtifactReference reference) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SchemaParser<Schema, GenericRecord> getSchemaParser() {
            return new AvroSchemaParser<>(new DefaultAvroDatumProvider<>());
        }

        @Override
        public void setClientFacade(RegistryClientFacade client) {}

        @Override
        public void setArtifactResolverStrategy(ArtifactReferenceResolverStrategy<Schema, GenericRecord> strategy) {}

        @Override
        public void reset() {}

        @Override
        public void close() {}
    }
}
