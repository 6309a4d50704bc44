package io.neardup.config;

import org.jspecify.annotations.Nullable;

/**
 * A setting of the service, as the table of {@link Keys} has it.
 *
 * @param type what kind of value it takes
 * @param usual its default as it is written; null where the setting is left out
 * @param meaning for the shipped file and the chapter on settings
 */
record Key<T>(String name, SettingType<T> type, @Nullable String usual, Rank rank, Binding binding, String meaning) {

    /** Who needs to know of a setting. */
    enum Rank {
        /** Everybody: its value depends on the documents, the cluster or what the outputs are for. */
        BASIC,
        /** Who has a reason to leave a default that fits nearly all. */
        EXPERT
    }

    /** Whether an index is bound to the value that it was made with. */
    enum Binding {
        FREE(""),
        BOUND("an index is bound to it"),
        /** It has its part in the choice of bands and rows, to which an index is bound. */
        BY_BANDING("an index is bound to it unless neardup.banding is given");

        private final String words;

        Binding(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** Its rank, and whether an index is bound to it. */
    String facts() {
        String ranked = SettingType.spelled(rank.name());
        return binding == Binding.FREE ? ranked : ranked + "; " + binding;
    }
}
