package io.neardup.record;

import io.neardup.record.Rejection.RejectedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * One pass over one value in binary Avro, by the schema of its writer and to its very end, that picks up what the
 * pointers lead to. Fields of records and keys of maps are names in a pointer, elements of arrays its numbers; a union
 * is what it holds, and adds nothing to the pointer. Strings and enums are strings, a UUID of 16 bytes is one as a
 * name; numbers of other logical types are those that they are made of.
 *
 * <p>Nothing is made of the value but what is picked: a length that is false costs no memory, and the bounds of depth
 * and number of values are those of JSON. They are needed, as elements without a byte (nulls, empty records) can be
 * of any number.
 */
final class AvroScanner {
    private static final int DEPTH_MAX = JsonDocumentReader.DEPTH_MAX;
    private static final int VALUES_MAX = JsonDocumentReader.TOKENS_MAX;
    private static final int UUID_BYTES = 16;

    private final byte[] value;
    private final BinaryDecoder in;
    private final Picked picked;
    private int values;

    AvroScanner(byte[] value, int from, Picked picked) {
        this.value = value;
        this.in = DecoderFactory.get().binaryDecoder(value, from, value.length - from, null);
        this.picked = picked;
    }

    /** @throws RejectedException if the bytes are not what the schema says; what was found before stays readable */
    void run(Schema schema, PointerTree root) throws RejectedException {
        try {
            Schema actual = branch(schema);
            if (actual.getType() != Schema.Type.RECORD && actual.getType() != Schema.Type.MAP) {
                throw new RejectedException(
                        Reason.NOT_OBJECT, "expected a record in Avro, found " + kind(actual) + " by its schema");
            }
            value(actual, root, 1);
            if (in.remainingBytes() > 0) {
                throw notAvro("expected the end of the value" + at());
            }
        } catch (IOException | AvroRuntimeException | UnsupportedOperationException e) {
            throw notAvro("expected what its schema says, found other bytes or their end" + at());
        }
    }

    /** @return a number as it is written; of anything else what it is */
    private String value(Schema declared, @Nullable PointerTree there, int depth)
            throws IOException, RejectedException {
        if (++values > VALUES_MAX) {
            throw new RejectedException(
                    Reason.TOO_LARGE, "expected at most " + VALUES_MAX + " values, found more" + at());
        }
        Schema schema = branch(declared);
        switch (schema.getType()) {
            case RECORD, MAP, ARRAY -> nested(schema, there, depth);
            case STRING -> string(schema, there);
            case ENUM -> symbol(schema, there);
            case INT, LONG -> {
                String written = Long.toString(schema.getType() == Schema.Type.INT ? in.readInt() : in.readLong());
                take(schema, there, written, null);
                return written;
            }
            case FLOAT -> {
                take(schema, there, null, null);
                return Float.toString(in.readFloat());
            }
            case DOUBLE -> {
                take(schema, there, null, null);
                return Double.toString(in.readDouble());
            }
            case BOOLEAN -> {
                in.readBoolean();
                take(schema, there, null, null);
            }
            case NULL -> take(schema, there, null, null);
            case BYTES -> {
                skip(in.readLong());
                take(schema, there, null, null);
            }
            default -> take(schema, there, fixed(schema, there), null);
        }
        return kind(schema);
    }

    /** What a union holds, or the schema itself. */
    private Schema branch(Schema schema) throws IOException, RejectedException {
        if (schema.getType() != Schema.Type.UNION) {
            return schema;
        }
        List<Schema> branches = schema.getTypes();
        int index = in.readIndex();
        if (index < 0 || index >= branches.size()) {
            throw notAvro("expected one of " + branches.size() + " branches of a union, found number " + index + at());
        }
        return branches.get(index);
    }

    private void nested(Schema schema, @Nullable PointerTree there, int depth) throws IOException, RejectedException {
        if (depth > DEPTH_MAX) {
            throw new RejectedException(
                    Reason.TOO_DEEP, "expected records, maps and arrays nested at most " + DEPTH_MAX + " deep" + at());
        }
        boolean isOfNumbers = there != null && schema.getType() == Schema.Type.ARRAY && picked.wantsNumbers(there);
        if (!isOfNumbers) {
            take(schema, there, null, null);
        }
        switch (schema.getType()) {
            case RECORD -> {
                for (Schema.Field field : schema.getFields()) {
                    value(field.schema(), PointerTree.child(there, field.name()), depth + 1);
                }
            }
            case MAP -> {
                for (long left = in.readMapStart(); left != 0; left = in.mapNext()) {
                    for (long i = 0; i < left; i++) {
                        int from = skip(in.readLong());
                        PointerTree below = there == null ? null : PointerTree.child(there, text(from, end()));
                        value(schema.getValueType(), below, depth + 1);
                    }
                }
            }
            default -> array(schema, there, isOfNumbers, depth);
        }
    }

    private void array(Schema schema, @Nullable PointerTree there, boolean isOfNumbers, int depth)
            throws IOException, RejectedException {
        StringBuilder numbers = new StringBuilder();
        int index = 0;
        for (long left = in.readArrayStart(); left != 0; left = in.arrayNext()) {
            for (long i = 0; i < left; i++) {
                if (isOfNumbers) {
                    numbers.append(index == 0 ? "" : " ").append(value(schema.getElementType(), null, depth + 1));
                } else {
                    PointerTree below = there == null ? null : PointerTree.child(there, Integer.toString(index));
                    value(schema.getElementType(), below, depth + 1);
                }
                index++;
            }
        }
        if (isOfNumbers) {
            take(schema, there, null, RawText.of(numbers.toString()));
        }
    }

    private void string(Schema schema, @Nullable PointerTree there) throws IOException, RejectedException {
        int from = skip(in.readLong());
        int to = end();
        if (there == null) {
            return;
        }
        int malformed = RawText.firstMalformed(value, from, to);
        if (malformed >= 0) {
            throw new RejectedException(
                    Reason.NOT_UTF8, "expected UTF-8 (RFC 3629) in a string, found other bytes at byte " + malformed);
        }
        String name = there.isId() || there.isScope() ? text(from, to) : null;
        take(schema, there, name, picked.wantsString(there) ? RawText.of(value, from, to) : null);
    }

    private void symbol(Schema schema, @Nullable PointerTree there) throws IOException, RejectedException {
        int index = in.readEnum();
        List<String> symbols = schema.getEnumSymbols();
        if (index < 0 || index >= symbols.size()) {
            throw notAvro("expected one of " + symbols.size() + " symbols of an enum, found number " + index + at());
        }
        if (there != null) {
            String symbol = symbols.get(index);
            take(schema, there, symbol, picked.wantsString(there) ? RawText.of(symbol) : null);
        }
    }

    /** What the bytes name; null where they are no UUID, or nothing is looked for. */
    private @Nullable String fixed(Schema schema, @Nullable PointerTree there) throws IOException, RejectedException {
        int from = skip(schema.getFixedSize());
        if (there == null || schema.getFixedSize() != UUID_BYTES || !"uuid".equals(schema.getProp("logicalType"))) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.wrap(value, from, UUID_BYTES);
        return new UUID(bytes.getLong(), bytes.getLong()).toString();
    }

    private void take(Schema schema, @Nullable PointerTree there, @Nullable String name, @Nullable RawText text) {
        if (there != null) {
            picked.take(there, kind(schema), name, text);
        }
    }

    /** Goes over so many bytes, if they are there: returns where they begin. */
    private int skip(long length) throws IOException, RejectedException {
        int from = end();
        if (length < 0 || length > value.length - from) {
            throw notAvro("expected " + length + " bytes, found " + (value.length - from) + at());
        }
        in.skipFixed((int) length);
        return from;
    }

    /** Of what is read: where the rest begins. */
    private int end() {
        return value.length - in.remainingBytes();
    }

    private String text(int from, int to) {
        return new String(value, from, to - from, StandardCharsets.UTF_8);
    }

    private String at() {
        return " at byte " + end();
    }

    static RejectedException notAvro(String detail) {
        return new RejectedException(Reason.NOT_AVRO, detail);
    }

    private static String kind(Schema schema) {
        return switch (schema.getType()) {
            case RECORD -> "a record";
            case MAP -> "a map";
            case ARRAY -> "an array";
            case STRING, ENUM -> "a string";
            case INT, LONG -> "an integer";
            case FLOAT, DOUBLE -> "a number with a fraction or an exponent";
            case BOOLEAN -> "a boolean";
            case NULL -> Picked.NULL;
            default -> "bytes";
        };
    }
}
