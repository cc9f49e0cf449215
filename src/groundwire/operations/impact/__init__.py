"""What a change would reach, or has reached: users of symbols, tests apart."""
