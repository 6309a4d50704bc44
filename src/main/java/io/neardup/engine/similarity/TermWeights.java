package io.neardup.engine.similarity;

/** The weight of a shingle in a text's vector. */
public enum TermWeights {
    /** How often the text has it. */
    TF,
    /** How often the text has it, times its inverse document frequency: rare shingles count more. */
    TF_IDF
}
