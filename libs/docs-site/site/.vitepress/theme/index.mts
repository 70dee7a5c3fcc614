import type { EnhanceAppContext } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { ApiReference } from './api-reference.mts';
import { keepLanguage } from './language.mts';
import './custom.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }: EnhanceAppContext) => {
    app.component('ApiReference', ApiReference);
  },
  Layout: {
    setup() {
      keepLanguage();
      return () => h(DefaultTheme.Layout);
    },
  },
};
