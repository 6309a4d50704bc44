package io.neardup.record;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One header of a record, as it arrived. The bytes are shared, not copied: nobody may change them.
 *
 * @param name the header's name; a record may repeat it
 * @param value the header's bytes, null where the producer sent null
 */
@SuppressWarnings("ArrayRecordComponent") // equality by content, below
public record RecordHeader(String name, byte @Nullable [] value) {

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RecordHeader that && name.equals(that.name) && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, Arrays.hashCode(value));
    }

    /** The name and the size only: a value may be a secret. */
    @Override
    public String toString() {
        return name + "(" + InputRecord.size(value) + ")";
    }
}
