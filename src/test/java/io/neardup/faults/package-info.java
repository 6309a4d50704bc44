/** The promises under faults, with brokers and instances as processes of their own. */
@org.jspecify.annotations.NullMarked
package io.neardup.faults;
