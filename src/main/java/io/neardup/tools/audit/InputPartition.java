package io.neardup.tools.audit;

import io.neardup.record.Verdict;

/** A partition of an input topic. Verdicts on it stand in its order. */
record InputPartition(String topic, int number) {
    static InputPartition of(Verdict verdict) {
        return new InputPartition(verdict.position().topic(), verdict.position().partition());
    }

    @Override
    public String toString() {
        return topic + "-" + number;
    }
}
