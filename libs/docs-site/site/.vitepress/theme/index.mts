import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { keepLanguage } from './language.mts';
import './custom.css';

export default {
  extends: DefaultTheme,
  Layout: {
    setup() {
      keepLanguage();
      return () => h(DefaultTheme.Layout);
    },
  },
};
