package io.neardup.record;

import io.neardup.record.Rejection.RejectedException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values as producers with a schema registry write them: the id of a schema, then binary Avro. The id stands
 *
 * <ul>
 *   <li>in front of it, behind a byte 0: four bytes (Confluent, Apicurio 3) or eight (Apicurio 2), the highest first;
 *   <li>or in a header, with nothing in front: {@value #CONFLUENT} has a byte 1 and a GUID of 16 bytes, or a byte 0 and
 *       an id of four; {@value #APICURIO} an id of eight.
 * </ul>
 *
 * Safe for use by several threads.
 *
 * @param idBytes of an id in front: 4 or 8
 * @param isAlone whether all values are Avro; else only those with a byte 0 in front, or a header of a schema
 */
public record AvroValues(SchemaRegistry registry, int idBytes, boolean isAlone) {
    static final String CONFLUENT = "__value_schema_id";
    static final String APICURIO = "apicurio.value.contentId";
    /** Ids of another kind, of which the API of the registry that is asked knows nothing. */
    private static final String APICURIO_GLOBAL = "apicurio.value.globalId";

    private static final int GUID_LENGTH = 1 + 16;

    /** What a tree of one name goes with. */
    private static final Pointers NAME_ALONE = new Pointers("/", List.of("/"), null);

    /** @param from where the Avro begins */
    private record Framed(String schema, int from) {}

    /**
     * Reads values in Avro, and others beside them where the topic has both. A schema that is not here yet is fetched
     * meanwhile: who must not wait asks {@link #lacksSchema} before. Safe for use by several threads, if the other
     * reader is.
     *
     * @param others reads what is no Avro
     * @param valueBytesMax the largest value in bytes, at least 1
     */
    public DocumentReader reader(DocumentReader others, Pointers pointers, TextKind textKind, int valueBytesMax) {
        PointerTree tree = PointerTree.of(pointers);
        return record -> isAvro(record)
                ? Picked.read(
                        record,
                        pointers,
                        textKind,
                        picked -> scan(record, record.requireValue(valueBytesMax), tree, picked))
                : others.read(record);
    }

    boolean isAvro(InputRecord record) {
        byte[] value = record.value();
        return isAlone
                || (value != null && value.length > 0 && value[0] == 0)
                || record.lastHeader(CONFLUENT) != null
                || record.lastHeader(APICURIO) != null
                || record.lastHeader(APICURIO_GLOBAL) != null;
    }

    /**
     * Whether a record cannot be read yet, as its schema is not here. It is asked for then, in the background; who asks
     * on until it is here makes that go on.
     *
     * @param bytesMax above which values are not read
     */
    public boolean lacksSchema(InputRecord record, int bytesMax) {
        byte[] value = record.value();
        if (value == null || value.length > bytesMax || !isAvro(record)) {
            return false;
        }
        try {
            return !registry.isKnownElseFetch(framed(record, value).schema);
        } catch (RejectedException e) {
            return false; // It needs none.
        }
    }

    /** Why records wait for their schemas, if they do. */
    public Optional<String> problem() {
        return registry.problem();
    }

    /** @throws SchemaRegistry.UnreachableException if the schema is not here, and cannot be fetched */
    private void scan(InputRecord record, byte[] value, PointerTree pointers, Picked picked) throws RejectedException {
        Framed framed = framed(record, value);
        new AvroScanner(value, framed.from, picked).run(registry.schema(framed.schema), pointers);
    }

    /**
     * The string or integer where a tree of one name points to; null where there is none, or the value cannot be read
     * now: of a record that is no document, the schema may not be here, and is not fetched.
     */
    @Nullable
    String name(InputRecord record, byte[] value, PointerTree name) {
        Picked picked = new Picked(NAME_ALONE, TextKind.STRING);
        try {
            Framed framed = framed(record, value);
            if (!registry.isKnown(framed.schema)) {
                return null;
            }
            new AvroScanner(value, framed.from, picked).run(registry.schema(framed.schema), name);
        } catch (RejectedException e) {
            return null;
        }
        return picked.name();
    }

    private Framed framed(InputRecord record, byte[] value) throws RejectedException {
        byte[] confluent = record.lastHeader(CONFLUENT);
        if (confluent != null) {
            return new Framed(ofHeader(confluent), 0);
        }
        byte[] apicurio = record.lastHeader(APICURIO);
        if (apicurio != null) {
            requireLength(apicurio, Long.BYTES, APICURIO);
            return new Framed(id(ByteBuffer.wrap(apicurio).getLong()), 0);
        }
        if (record.lastHeader(APICURIO_GLOBAL) != null) {
            throw AvroScanner.notAvro("expected the header " + APICURIO + ", found " + APICURIO_GLOBAL
                    + ": set apicurio.registry.use-id=contentId where this is produced");
        }
        if (value.length <= idBytes || value[0] != 0) {
            throw AvroScanner.notAvro("expected a byte 0 and " + idBytes
                    + " bytes of the id of a schema in front, or a header with it, found none in " + value.length
                    + " bytes");
        }
        ByteBuffer id = ByteBuffer.wrap(value, 1, idBytes);
        return new Framed(id(idBytes == Long.BYTES ? id.getLong() : id.getInt()), 1 + idBytes);
    }

    private static String ofHeader(byte[] header) throws RejectedException {
        ByteBuffer bytes = ByteBuffer.wrap(header);
        if (header.length == 1 + Integer.BYTES && bytes.get() == 0) {
            return id(bytes.getInt());
        }
        bytes.clear();
        requireLength(header, GUID_LENGTH, CONFLUENT);
        if (bytes.get() != 1) {
            throw AvroScanner.notAvro(
                    "expected a byte 1 and a GUID in the header " + CONFLUENT + ", found a byte " + header[0]);
        }
        return "guids/" + new UUID(bytes.getLong(), bytes.getLong());
    }

    private static void requireLength(byte[] header, int length, String name) throws RejectedException {
        if (header.length != length) {
            throw AvroScanner.notAvro(
                    "expected " + length + " bytes in the header " + name + ", found " + header.length);
        }
    }

    /** No registry has other ids; asked for one, some answer that they do not know the address. */
    private static String id(long id) throws RejectedException {
        if (id < 0 || id > Integer.MAX_VALUE) {
            throw new RejectedException(
                    Reason.UNKNOWN_SCHEMA,
                    "expected the id of a schema from 0 to " + Integer.MAX_VALUE + ", found " + id
                            + ": neardup.registry.id.bytes says how many bytes it has");
        }
        return "ids/" + id;
    }
}
