/** The protocol under random schedules, from one seed. */
@org.jspecify.annotations.NullMarked
package io.neardup.simulation;
