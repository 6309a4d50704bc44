package io.neardup.engine.similarity;

/**
 * The signature of a text and its evidence.
 *
 * @param values of the signature: similar texts agree at many positions; nobody may change the array any more
 * @param evidence what the judge of the same family needs
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody, and as large as 1,024 values
public record SignedText(int[] values, Evidence evidence) {}
